/** Empty HTML, so that hydration keeps the cards that start-early-list.ts has drawn. */
const EMPTY_HTML = { __html: '' }

/**
 * List while the events load. Early cards replace the skeleton (skeletons.css). CSS shows the notes after a delay, so
 * that they also appear before hydration.
 */
export function ListSkeleton() {
  return (
    <>
      <div data-early-list dangerouslySetInnerHTML={EMPTY_HTML} suppressHydrationWarning />
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
