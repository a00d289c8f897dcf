import { persistentText } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

const MAX_HINTS = 2

const $shownHints = persistentText(STORAGE_KEYS.zoomHints, '0')

/** Returns true if the zoom hint should be shown now, at most `MAX_HINTS` times. Counts the hint as shown. */
export function consumeZoomHint(): boolean {
  const shownHints = Number($shownHints.get()) || 0
  if (shownHints >= MAX_HINTS) return false
  $shownHints.set(String(shownHints + 1))
  return true
}
