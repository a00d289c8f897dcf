import { type RefObject, useEffect, useRef } from 'react'
import type { SyncedPlayer } from '../../../media/sync/synced-player.ts'

export const SKIP_MS = 10_000
const ARROW_SKIP_MS = 5000

interface SyncedPlayerKeyOptions {
  readonly player: SyncedPlayer
  readonly container: RefObject<HTMLElement | null>
  readonly toggleSound: () => void
  /** Camera ids. The number keys 1 to 9 select them in this order. */
  readonly cameras: readonly string[]
  readonly makeLarge: (camera: string) => void
}

/**
 * Handles the keyboard shortcuts: space and K, J and L, comma and period, Left and Right, 1 to 9, M, F. Ignores keys
 * typed in form fields, and space on buttons.
 */
export function useSyncedPlayerKeys(options: SyncedPlayerKeyOptions): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return
      const ignoredTargets = key.key === ' ' ? 'input, select, textarea, button, summary' : 'input, select, textarea'
      if (key.target instanceof Element && key.target.closest(ignoredTargets)) return
      const action = findKeyAction(key.key, latest.current)
      if (!action) return
      key.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function findKeyAction(
  key: string,
  { player, container, toggleSound, cameras, makeLarge }: SyncedPlayerKeyOptions,
): (() => void) | undefined {
  const camera = /^[1-9]$/.test(key) ? cameras[Number(key) - 1] : undefined
  if (camera) return () => makeLarge(camera)
  const actions: Record<string, () => void> = {
    ' ': () => player.toggle(),
    k: () => player.toggle(),
    j: () => player.skip(-SKIP_MS),
    l: () => player.skip(SKIP_MS),
    ',': () => player.step(-1),
    '.': () => player.step(1),
    ArrowLeft: () => player.skip(-ARROW_SKIP_MS),
    ArrowRight: () => player.skip(ARROW_SKIP_MS),
    m: toggleSound,
    f: () => togglePlayerFullScreen(container.current),
  }
  return actions[key]
}

export function togglePlayerFullScreen(container: HTMLElement | null): void {
  void (document.fullscreenElement ? document.exitFullscreen() : container?.requestFullscreen())
}
