import { useEffect, useState } from 'react'

const RING_CIRCUMFERENCE = 2 * Math.PI * 26
/** Usual time in which a camera wakes, seconds. The ring is full then. */
export const USUAL_WAKE_S = 4

/** Ring that fills while a camera connects or wakes. Shows the seconds since `startedAt` (`performance.now()`, ms). */
export function WakeProgressRing({ startedAt }: { startedAt: number }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((performance.now() - startedAt) / 1000), 100)
    return () => clearInterval(timer)
  }, [startedAt])
  const progress = Math.min(1, seconds / USUAL_WAKE_S)
  return (
    <div className="live-ring" aria-hidden="true">
      <svg viewBox="0 0 56 56" width="56" height="56">
        <circle cx="28" cy="28" r="26" />
        <circle
          cx="28"
          cy="28"
          r="26"
          className="live-ring-part"
          strokeDasharray={`${progress * RING_CIRCUMFERENCE} ${RING_CIRCUMFERENCE}`}
        />
      </svg>
      <b>{seconds.toFixed(1)} s</b>
    </div>
  )
}
