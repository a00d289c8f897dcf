import { lazy } from 'react'

const loadStage = () => import('./Stage.tsx')
const loadOverview = () => import('./Overview.tsx')

/** Fetches the player's script; more than once does nothing. */
export function preloadStage(): void {
  void loadStage()
}

/** The player, whose script comes when somebody reaches for an event. */
export const Stage = lazy(async () => ({ default: (await loadStage()).Stage }))

/** The list in numbers, which a phone never fetches. */
export const Overview = lazy(async () => ({ default: (await loadOverview()).Overview }))
