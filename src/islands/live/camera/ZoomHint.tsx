import ZoomIn from 'lucide-react/icons/zoom-in'
import { useEffect, useState } from 'react'
import { consumeZoomHint } from '../../../stores/live/zoom-hint.ts'

/** Delay before the hint appears, ms. It lets the opening animation end first. */
const HINT_DELAY_MS = 400
const HINT_VISIBLE_MS = 4000

/**
 * Hint that explains zooming when playback starts, unless the hint has already been shown twice; disappears
 * automatically.
 */
export function ZoomHint({ isPlaying }: { isPlaying: boolean }) {
  const [state, setState] = useState<'waiting' | 'shown' | 'over'>('waiting')
  const isDue = state === 'waiting' && isPlaying
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => setState(consumeZoomHint() ? 'shown' : 'over'), HINT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isDue])
  useEffect(() => {
    if (state !== 'shown') return
    const timer = setTimeout(() => setState('over'), HINT_VISIBLE_MS)
    return () => clearTimeout(timer)
  }, [state])
  if (state !== 'shown') return null
  const isTouch = matchMedia('(hover: none)').matches
  return (
    <p className="one-hint">
      <ZoomIn size={16} aria-hidden="true" />
      {isTouch ? 'Pinch to zoom · swipe to change cameras' : 'Scroll to zoom · drag to move · double-click for 2×'}
    </p>
  )
}
