import { useStore } from '@nanostores/react'
import { isNarrowing } from '../../../domain/events/event-filter.ts'
import { hourSpanLabel } from '../../../domain/copy/event-labels.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { clearFilter } from '../../../stores/events/events.ts'
import { SaveList } from './ExportListButton.tsx'

/** Right end of the filter bar: the chosen hour, reset and export. */
export function BarEnd() {
  const filter = useStore($eventFilter)
  return (
    <>
      {filter.hour !== null && (
        <button type="button" className="chip" aria-pressed onClick={() => changeFilter({ hour: null })}>
          {hourSpanLabel(filter.hour)}
        </button>
      )}
      {(isNarrowing(filter) || filter.range !== 14) && (
        <button type="button" className="btn btn-sm text-primary-ink ml-auto" onClick={clearFilter}>
          Clear
        </button>
      )}
      <SaveList />
    </>
  )
}
