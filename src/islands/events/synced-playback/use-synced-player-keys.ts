import { type RefObject, useEffect, useRef } from 'react'
import type { SyncedPlayer } from '../../../media/sync/synced-player.ts'

export const SKIP_MS = 10_000
const ARROW_MS = 5000

interface KeysOf {
  readonly step: SyncedPlayer
  readonly frame: RefObject<HTMLElement | null>
  readonly hear: () => void
  /** Camera ids. The number keys 1 to 9 select them in this order. */
  readonly cameras: readonly string[]
  readonly makeLarge: (camera: string) => void
}

/**
 * Keyboard shortcuts: space and K, J L, comma and full stop, arrows, 1 to 9, M, F. Fields and buttons keep their own
 * keys.
 */
export function useStepKeys(of: KeysOf): void {
  const latest = useRef(of)
  useEffect(() => {
    latest.current = of
  })
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return
      const own = key.key === ' ' ? 'input, select, textarea, button, summary' : 'input, select, textarea'
      if (key.target instanceof Element && key.target.closest(own)) return
      const act = findKeyAction(key.key, latest.current)
      if (!act) return
      key.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function findKeyAction(key: string, { step, frame, hear, cameras, makeLarge }: KeysOf): (() => void) | undefined {
  const camera = /^[1-9]$/.test(key) ? cameras[Number(key) - 1] : undefined
  if (camera) return () => makeLarge(camera)
  const actions: Record<string, () => void> = {
    ' ': () => step.toggle(),
    k: () => step.toggle(),
    j: () => step.skip(-SKIP_MS),
    l: () => step.skip(SKIP_MS),
    ',': () => step.step(-1),
    '.': () => step.step(1),
    ArrowLeft: () => step.skip(-ARROW_MS),
    ArrowRight: () => step.skip(ARROW_MS),
    m: hear,
    f: () => togglePlayerFullScreen(frame.current),
  }
  return actions[key]
}

export function togglePlayerFullScreen(frame: HTMLElement | null): void {
  void (document.fullscreenElement ? document.exitFullscreen() : frame?.requestFullscreen())
}
