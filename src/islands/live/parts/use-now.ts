import { useEffect, useState } from 'react'

/** The time, kept to `everyMs`; null until the page has come to life, so that the prerendered markup fits. */
export function useNow(everyMs = 1000): Date | null {
  const [now, setNow] = useState<Date | null>(null)
  useEffect(() => {
    setNow(new Date())
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
