import { useStore } from '@nanostores/react'
import { hasActiveFilter } from '../../../domain/events/event-filter.ts'
import { hourSpanLabel } from '../../../domain/time/hour-label.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { clearFilter } from '../../../stores/events/events.ts'
import { VisitsToggle } from './VisitsToggle.tsx'

/** Right end of the filter bar: the chosen hour, reset, and visits or all clips. */
export function FilterBarActions() {
  const filter = useStore($eventFilter)
  return (
    <>
      {filter.hour !== null && (
        <button type="button" className="chip" aria-pressed onClick={() => changeFilter({ hour: null })}>
          {hourSpanLabel(filter.hour)}
        </button>
      )}
      <div className="filter-end">
        {(hasActiveFilter(filter) || filter.range !== 14) && (
          <button type="button" className="btn btn-sm filter-clear text-primary-ink" onClick={clearFilter}>
            Clear
          </button>
        )}
        <VisitsToggle />
      </div>
    </>
  )
}
