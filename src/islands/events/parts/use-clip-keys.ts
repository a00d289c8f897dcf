import { type RefObject, useEffect } from 'react'
import { CLIP_FPS, type ClipPlayer } from '../../../media/clip/clip-player.ts'
import { openAdjacentEvent } from './adjacent-events.ts'
import { closeEvent } from '../../../stores/events/event-url.ts'
import { returnToPreviousRoute } from '../../../stores/events/event-tags.ts'

const ARROW_SKIP_S = 5
const SKIP_S = 10

type KeyActions = Readonly<Record<string, () => void>>

/** Calls the action of a pressed key. Ignores keys typed in form fields, and space on buttons. */
function listenToKeys(actions: KeyActions): () => void {
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
}

const NAVIGATION_ACTIONS: KeyActions = { n: () => openAdjacentEvent(1), p: () => openAdjacentEvent(-1) }

/** N and P open the next and the previous event, also while an event has no clip to play. */
export function useNavigationKeys(): void {
  useEffect(() => listenToKeys(NAVIGATION_ACTIONS), [])
}

/**
 * Handles the keyboard shortcuts of a playing clip: space and K, J and L, Left and Right, comma and period, R, M, F.
 */
export function useClipKeys(player: ClipPlayer, frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const actions: KeyActions = {
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
      f: () => void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen()),
    }
    return listenToKeys(actions)
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
