import { type RefObject, useEffect } from 'react'
import type { ClipPlayer } from '../../../media/clip/clip-player.ts'
import { openAdjacentEvent } from './adjacent-events.ts'
import { closeEvent } from '../../../stores/events/event-url.ts'
import { returnToPreviousRoute } from '../../../stores/events/event-tags.ts'

const ARROW_SKIP_S = 5
const SKIP_S = 10
/** Assumed frame rate of the cameras. With another rate, a step can show the same frame again or skip frames. */
export const CLIP_FPS = 15

/**
 * Handles the keyboard shortcuts of an open clip: space and K, J and L, Left and Right, comma and period, N and P, R,
 * M, F. Ignores keys typed in form fields, and space on buttons.
 */
export function useClipKeys(player: ClipPlayer, frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const actions: Record<string, () => void> = {
      ' ': () => player.togglePlayback(),
      k: () => player.togglePlayback(),
      j: () => player.skip(-SKIP_S),
      l: () => player.skip(SKIP_S),
      ArrowLeft: () => player.skip(-ARROW_SKIP_S),
      ArrowRight: () => player.skip(ARROW_SKIP_S),
      m: () => player.toggleSound(),
      r: () => player.toggleLoop(),
      ',': () => player.step(-1, CLIP_FPS),
      '.': () => player.step(1, CLIP_FPS),
      n: () => openAdjacentEvent(1),
      p: () => openAdjacentEvent(-1),
      f: () => void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen()),
    }
    const onKey = (key: KeyboardEvent) => {
      const action = actions[key.key]
      if (!action || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return
      if (
        key.target instanceof Element &&
        key.target.closest(key.key === ' ' ? 'input, select, textarea, button' : 'input, select, textarea')
      )
        return
      key.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [player, frame])
}

/** Closes the clip on Esc, unless the key closes a dialog or popover, or leaves full screen. */
export function useCloseOnEscape(): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || key.defaultPrevented || document.fullscreenElement) return
      if (document.querySelector('dialog[open], [popover]:popover-open')) return
      returnToPreviousRoute(closeEvent)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
