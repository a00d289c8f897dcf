import { useEffect, useState } from 'react'

const AROUND = 2 * Math.PI * 26
/** Seconds until the ring is full: waking usually takes no longer. */
const FULL_S = 4

/** Seconds since `from` (performance.now ms), as a number in a ring that fills. */
export function Ring({ from }: { from: number }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((performance.now() - from) / 1000), 100)
    return () => clearInterval(timer)
  }, [from])
  const part = Math.min(1, seconds / FULL_S)
  return (
    <div className="live-ring" aria-hidden="true">
      <svg viewBox="0 0 56 56" width="56" height="56">
        <circle cx="28" cy="28" r="26" />
        <circle cx="28" cy="28" r="26" className="live-ring-part" strokeDasharray={`${part * AROUND} ${AROUND}`} />
      </svg>
      <b>{seconds.toFixed(1)} s</b>
    </div>
  )
}
