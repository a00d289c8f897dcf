import { weekdayLabel } from '../../../domain/time/list-date-formats.ts'
import { useNow } from '../../../ui/use-now.ts'

/** List while the events load. CSS shows the notes after a delay, so that they also appear before hydration. */
export function ListSkeleton() {
  const now = useNow()
  return (
    <>
      <div className="list-wait-head">
        <h2>Today</h2>
        <span className="text-micro">{now > 0 && weekdayLabel(now)}</span>
        <p role="status" className="wait-note text-small">
          <i className="spinner" />
          <span className="wait-note-first">Loading events…</span>
          <span className="wait-note-slow">Still loading. Your connection may be slow.</span>
        </p>
      </div>
      <i className="skeleton list-wait-rows" />
    </>
  )
}
