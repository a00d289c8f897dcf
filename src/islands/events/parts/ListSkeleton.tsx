/** List while the events load. CSS shows the notes after a delay, so that they also appear before hydration. */
export function ListSkeleton() {
  return (
    <>
      <div className="list-wait-head">
        <h2>Today</h2>
        <p role="status" className="wait-note text-small">
          <i className="spinner" />
          <span className="wait-note-first">Loading events…</span>
          <span className="wait-note-slow">Still loading. Your connection is slow.</span>
        </p>
      </div>
      <i className="skeleton list-wait-rows" />
    </>
  )
}
