import { useStore } from '@nanostores/react'
import { catalogueEntry } from '../../../../contract/error-codes.ts'
import { dayOf } from '../../../domain/date-range.ts'
import { rangeLabel } from '../../../domain/event-labels.ts'
import { TOO_LARGE } from '../../../stores/event-loading.ts'
import { $events, chooseSpan, reloadEvents } from '../../../stores/events.ts'

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
      <p>{isTooLarge ? catalogueEntry(TOO_LARGE)?.text : 'Earlier days did not load.'}</p>
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
