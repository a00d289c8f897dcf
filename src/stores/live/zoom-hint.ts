import { keptText } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

const TIMES = 2

const $times = keptText(KEYS.zoomHints, '0')

/** Returns true if the zoom hint should be shown, and counts the hint. It is shown at most twice. */
export function consumeHint(): boolean {
  const times = Number($times.get()) || 0
  if (times >= TIMES) return false
  $times.set(String(times + 1))
  return true
}
