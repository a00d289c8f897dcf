import { useEffect, useState } from 'react'

/** Times in seconds at which the list says that it is loading, and that the connection is slow. */
const NOTICE_TIMES_S = [1, 8]

export function ListSkeleton() {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const timers = NOTICE_TIMES_S.map((seconds) => setTimeout(setPassed, seconds * 1000, seconds))
    return () => timers.forEach(clearTimeout)
  }, [])
  return (
    <div>
      <div className="flex h-11 items-center justify-between px-2">
        <span className="skeleton h-4 w-40" />
        <p role="status" className="text-small text-ink-2">
          {passed > 1 ? 'Still loading. Your connection may be slow.' : passed > 0 && 'Loading events…'}
        </p>
      </div>
      {Array.from({ length: 7 }, (_, i) => (
        <div key={i} aria-hidden className="flex h-[88px] gap-3 p-2">
          <span className="skeleton h-[72px] w-32 flex-none rounded-[10px]!" />
          <span className="flex flex-1 flex-col gap-2 pt-2">
            <span className="skeleton h-4 w-3/5" />
            <span className="skeleton h-3 w-4/5" />
            <span className="skeleton h-3 w-2/5" />
          </span>
        </div>
      ))}
    </div>
  )
}
