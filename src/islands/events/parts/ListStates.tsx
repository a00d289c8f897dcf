import { useStore } from '@nanostores/react'
import { rangeLabel } from '../../../domain/time/date-formats.ts'
import { toDay } from '../../../domain/time/local-time.ts'
import { hasActiveFilter } from '../../../domain/events/event-filter.ts'
import { $eventUrl, changeFilter } from '../../../stores/events/event-url.ts'
import { $events, narrowToSpan, clearFilter, reloadEvents } from '../../../stores/events/events.ts'
import { formatFailure } from '../../../stores/shell/failure-text.ts'
import { EarlyDeletion, RetentionText, useEarlyDeletion, useRetentionNotice } from './RetentionNotice.tsx'

/**
 * Empty state: no events, or none that match the filter. Claims nothing about days outside the retention period
 * (OPEN-67).
 */
export function EmptyList() {
  const { filter } = useStore($eventUrl)
  const events = useStore($events)
  const retention = useRetentionNotice()
  const deletion = useEarlyDeletion()
  const isAllGone = retention?.isAllHidden || deletion?.isAllDeleted
  const isFiltered = hasActiveFilter(filter) && events.state === 'ready' && events.events.length > 0
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <h2>
        {isFiltered
          ? 'No events match your filters'
          : isAllGone
            ? 'Events from these days are no longer available'
            : 'All quiet'}
      </h2>
      {(isFiltered || !isAllGone) && (
        <p className="text-ink-2 max-w-[30ch]">
          {isFiltered
            ? 'There are other events on these days.'
            : retention
              ? 'Your cameras didn’t detect anything on the days your plan covers.'
              : deletion
                ? 'There are no events after the deleted ones.'
                : 'Your cameras didn’t detect anything on these days.'}
        </p>
      )}
      {retention && <RetentionText kept={retention} className="max-w-[30ch]" />}
      {deletion && <EarlyDeletion deletion={deletion} className="max-w-[30ch]" />}
      {isFiltered || filter.range !== 14 ? (
        <button type="button" className="btn btn-outline" onClick={clearFilter}>
          Clear filters
        </button>
      ) : retention || deletion ? null : (
        <button type="button" className="btn btn-outline" onClick={() => changeFilter({ range: 60 })}>
          Show last 60 days
        </button>
      )}
    </div>
  )
}

/**
 * Notice that the list is incomplete. The button retries or, if the days have too many events, narrows the filter to
 * the days that have loaded.
 */
export function ListNotice() {
  const events = useStore($events)
  if (events.state !== 'ready' || !events.shortfall) return null
  const { shortfall } = events
  const isTooLarge = shortfall.kind === 'too-large'
  return (
    <div
      role="alert"
      className="bg-warning-soft text-small text-warning-ink m-2 flex flex-col items-start gap-2 rounded-[14px] p-3"
    >
      <p>
        {!isTooLarge && 'We couldn’t load earlier days. '}
        {formatFailure(shortfall.failure)}
      </p>
      {isTooLarge ? (
        <button type="button" className="btn btn-outline btn-xs" onClick={() => narrowToSpan(shortfall.covered)}>
          Show {rangeLabel(toDay(shortfall.covered.begin), toDay(shortfall.covered.end))}
        </button>
      ) : (
        <button type="button" className="btn btn-outline btn-xs" onClick={reloadEvents}>
          Try again
        </button>
      )}
    </div>
  )
}
