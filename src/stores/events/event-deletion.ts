import type { Event } from '../../../contract/events.ts'
import { OWNER } from '../../../contract/roles.ts'
import { deleteEvents, restoreEvents } from '../../../contract/timeline.ts'
import { request } from '../../api/client.ts'
import { inParts } from '../../domain/parts.ts'
import { $cameras } from './event-cameras.ts'
import { $deleted, clearSelection } from './event-selection.ts'
import { bringEventsBack, markEvents, takeEventsOff } from './events.ts'
import { showToast } from '../shell/toasts.ts'

/** One call takes at most so many. */
const DELETE_MAX = 2000
const NOT_DELETED = 'Some events could not be deleted. They are still in the list.'
const NOT_OWN = 'Only the owner of a camera can delete its events.'

/** Deletes events of own cameras: off the list at once, back when the provider refuses. They can be brought back for a while. */
export async function deleteSelected(selected: readonly Event[]): Promise<void> {
  clearSelection()
  const own = new Set($cameras.get().flatMap(({ device_id, user_role }) => (user_role === OWNER ? [device_id] : [])))
  const events = selected.filter(({ device_id }) => own.has(device_id))
  if (events.length < selected.length) showToast('warning', NOT_OWN)
  takeEventsOff(events.map(({ event_id }) => event_id))
  const gone: Event[] = []
  let until = 0
  for (const part of inParts(events, DELETE_MAX)) {
    const answer = await request(deleteEvents, { event_ids: part.map(({ event_id }) => event_id) }, { silent: true })
    if (answer.ok) {
      gone.push(...part)
      until = answer.data.restore_until
    } else {
      bringEventsBack(events.filter((event) => !gone.includes(event)))
      showToast('error', NOT_DELETED)
      break
    }
  }
  if (gone.length > 0) $deleted.set({ events: gone, until })
}

/** Brings back what was deleted last. */
export async function undoDelete(): Promise<void> {
  const deleted = $deleted.get()
  if (!deleted) return
  $deleted.set(null)
  for (const part of inParts(deleted.events, DELETE_MAX)) {
    const answer = await request(restoreEvents, { event_ids: part.map(({ event_id }) => event_id) }, { silent: true })
    if (answer.ok) bringEventsBack(part)
    else return showToast('error', 'The events could not be brought back.')
  }
}

export function forgetDeleted(): void {
  $deleted.set(null)
}

/** Marks the chosen events as seen, or as not seen when all of them are. */
export async function markSelected(events: readonly Event[]): Promise<void> {
  const reviewed = events.some((event) => !event.reviewed)
  if (!(await markEvents(events, reviewed))) showToast('error', 'Some events could not be marked. Try again.')
}
