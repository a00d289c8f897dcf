import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { rangeLabel } from '../../../domain/dates.ts'
import { dayOf } from '../../../domain/local-time.ts'
import { isNarrowing } from '../../../domain/event-filter.ts'
import { $address, changeFilter } from '../../../stores/events/event-address.ts'
import { $events, chooseSpan, clearFilter, reloadEvents } from '../../../stores/events/events.ts'
import { type EventListState } from '../../../stores/events/event-list.ts'
import { TOO_LARGE } from '../../../stores/events/event-loading.ts'
import { failureText } from '../../../stores/shell/failure-text.ts'
import { KeptText, useKept } from './KeptLine.tsx'

/** Nothing happened, or nothing that the filter lets through; nothing is said of days that no plan keeps (OPEN-67). */
export function EmptyList() {
  const { filter } = useStore($address)
  const events = useStore($events)
  const kept = useKept()
  const isFiltered = isNarrowing(filter) && events.state === 'ready' && events.events.length > 0
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <h2>{isFiltered ? 'Nothing with this filter' : kept?.isAll ? 'Not kept' : 'All quiet'}</h2>
      {(isFiltered || !kept?.isAll) && (
        <p className="text-ink-2 max-w-[30ch]">
          {isFiltered
            ? 'Other events happened on these days, from other cameras or of another kind.'
            : kept
              ? 'No camera saw or heard anything on the days that are kept.'
              : 'No camera saw or heard anything on these days.'}
        </p>
      )}
      {kept && <KeptText kept={kept} className="max-w-[30ch]" />}
      {isFiltered || filter.range !== 14 ? (
        <button type="button" className="btn btn-outline" onClick={clearFilter}>
          Clear the filter
        </button>
      ) : kept ? null : (
        <button type="button" className="btn btn-outline" onClick={() => changeFilter({ range: 60 })}>
          Show 60 days
        </button>
      )}
    </div>
  )
}

const LOST = 'There is no connection to the server. Your recordings are safe.'
const UNEXPECTED = 'The server did not answer as it should.'

/** The events could not be loaded; a connection that is back asks again by itself. */
export function FailedList({ failure }: { failure: Extract<EventListState, { state: 'failed' }>['failure'] }) {
  const isLost = failure.status === 0
  const own = isLost ? LOST : UNEXPECTED
  useEffect(() => {
    if (!isLost) return
    addEventListener('online', reloadEvents)
    return () => removeEventListener('online', reloadEvents)
  }, [isLost])
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <h2>Events did not load</h2>
      <p className="text-ink-2 max-w-[34ch]">{failureText(failure, own)}</p>
      <button type="button" className="btn btn-outline" onClick={reloadEvents}>
        Try again
      </button>
      {failure.code === TOO_LARGE && <SmallerRange />}
    </div>
  )
}

function SmallerRange() {
  const is60 = useStore($address).filter.range === 60
  const today = () => chooseSpan({ begin: Date.now(), end: Date.now() })
  return (
    <button type="button" className="btn btn-soft" onClick={() => (is60 ? changeFilter({ range: 14 }) : today())}>
      {is60 ? 'Show 14 days' : 'Show today only'}
    </button>
  )
}

/** What is missing from the list, and what to do about it. */
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
        {!isTooLarge && 'Earlier days did not load. '}
        {failureText(shortfall.failure)}
      </p>
      {isTooLarge ? (
        <button type="button" className="btn btn-outline btn-xs" onClick={() => chooseSpan(shortfall.covered)}>
          Show {rangeLabel(dayOf(shortfall.covered.begin), dayOf(shortfall.covered.end))}
        </button>
      ) : (
        <button type="button" className="btn btn-outline btn-xs" onClick={reloadEvents}>
          Try again
        </button>
      )}
    </div>
  )
}
