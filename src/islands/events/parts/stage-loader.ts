import { lazy } from 'react'

/** Fetches the player's script; more than once does nothing. */
export function preloadStage(): void {
  void loadStage()
}

const loadStage = () => import('./Stage.tsx')

/** The player, whose script comes when somebody reaches for an event. */
export const Stage = lazy(async () => ({ default: (await loadStage()).Stage }))
