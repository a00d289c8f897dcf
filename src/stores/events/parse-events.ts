import * as v from 'valibot'
import { type Event, event, type eventHistory, type getEventList } from '../../../contract/events/events.ts'
import { envelope } from '../../../contract/wire/envelope.ts'
import { yieldToMain } from '../shell/yield-to-main.ts'

/** Events validated per task: 3 ms on a computer, 12 ms on a slow phone. 10,000 events take ten times as long. */
const SLICE_SIZE = 1000
/** Number of events up to which a list is validated in the task of its response. */
const MAX_SHORT_LIST = 100

const eventListSchema = v.array(event)
const unparsedList = envelope(200, v.object({ event_list: v.array(v.unknown()) }))

/** Returns the call with a response whose events are not validated yet (`parseEvents`). */
export const skipEventValidation = (call: typeof eventHistory | typeof getEventList) => ({
  ...call,
  response: unparsedList,
})

/**
 * Validates the events of a response in slices, each in a task of its own. Returns null if an event is not valid. Also
 * ends in a new task, in which the caller renders them.
 */
export async function parseEvents(list: readonly unknown[], yieldTask = yieldToMain): Promise<readonly Event[] | null> {
  const isLong = list.length > MAX_SHORT_LIST
  const events: Event[] = []
  for (let from = 0; from < list.length; from += SLICE_SIZE) {
    if (isLong) await yieldTask()
    const slice = v.safeParse(eventListSchema, list.slice(from, from + SLICE_SIZE))
    if (!slice.success) return null
    events.push(...slice.output)
  }
  if (isLong) await yieldTask()
  return events
}
