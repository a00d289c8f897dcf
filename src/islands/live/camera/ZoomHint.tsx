import ZoomIn from 'lucide-react/icons/zoom-in'
import { useEffect, useState } from 'react'
import { consumeHint } from '../../../stores/live/zoom-hint.ts'

/** Delay before the hint appears, ms: the opening animation has ended by then. */
const AFTER_MS = 400
const SHOWN_MS = 4000

/** Explains zooming during the first moments of playback; fades automatically. */
export function ZoomHint({ isPlaying }: { isPlaying: boolean }) {
  const [state, setState] = useState<'waiting' | 'shown' | 'over'>('waiting')
  const isDue = state === 'waiting' && isPlaying
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => setState(consumeHint() ? 'shown' : 'over'), AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDue])
  useEffect(() => {
    if (state !== 'shown') return
    const timer = setTimeout(() => setState('over'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  if (state !== 'shown') return null
  const isTouch = matchMedia('(hover: none)').matches
  return (
    <p className="one-hint">
      <ZoomIn size={16} aria-hidden="true" />
      {isTouch ? 'Pinch to zoom, swipe for the next' : 'Scroll to zoom, drag to move · double-click for 2×'}
    </p>
  )
}
