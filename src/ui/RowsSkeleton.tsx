/** Placeholder rows with the dimensions of the rows that are loading. `label`: text for screen readers. */
export function RowsSkeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="rows-waiting">
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className="list-row" aria-hidden="true">
          <span className="skeleton size-9 rounded-[11px]!" />
          <span className="row-text">
            <span className="skeleton h-4 w-2/5" />
            <span className="skeleton mt-1.5 h-3 w-3/5" />
          </span>
        </div>
      ))}
    </div>
  )
}
