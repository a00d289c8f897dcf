import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $eventUrl, changeFilter } from '../../../stores/events/event-url.ts'
import { type EventListState } from '../../../stores/events/event-list.ts'
import { TOO_MANY_EVENTS_CODE } from '../../../stores/events/load-event-span.ts'
import { narrowToSpan, reloadEvents } from '../../../stores/events/events.ts'
import { formatFailure } from '../../../stores/shell/failure-text.ts'

const OFFLINE_TEXT = 'Can’t connect to the server. The list will reload when you’re back online.'
const UNEXPECTED_TEXT = 'The server sent an unexpected response.'

/** Error state of the list. After a lost connection, retries automatically when the connection returns. */
export function ListError({ failure }: { failure: Extract<EventListState, { state: 'failed' }>['failure'] }) {
  const isLost = failure.status === 0
  const defaultText = isLost ? OFFLINE_TEXT : UNEXPECTED_TEXT
  useEffect(() => {
    if (!isLost) return
    addEventListener('online', reloadEvents)
    return () => removeEventListener('online', reloadEvents)
  }, [isLost])
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <h2>We couldn’t load events</h2>
      <p className="text-ink-2 max-w-[34ch]">{formatFailure(failure, defaultText)}</p>
      <button type="button" className="btn btn-outline" onClick={reloadEvents}>
        Try again
      </button>
      {failure.code === TOO_MANY_EVENTS_CODE && <SmallerRangeButton />}
    </div>
  )
}

function SmallerRangeButton() {
  const is60 = useStore($eventUrl).filter.range === 60
  const today = () => narrowToSpan({ begin: Date.now(), end: Date.now() })
  return (
    <button type="button" className="btn btn-soft" onClick={() => (is60 ? changeFilter({ range: 14 }) : today())}>
      {is60 ? 'Show last 14 days' : 'Show today only'}
    </button>
  )
}
