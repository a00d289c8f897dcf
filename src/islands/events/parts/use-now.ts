import { useEffect, useState } from 'react'

const MINUTE = 60_000

/** The time in ms UTC, new each minute: what `Today` means changes while a page stays open. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}
