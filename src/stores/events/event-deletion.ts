import type { Event } from '../../../contract/events/events.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { $eventCameras } from './event-cameras.ts'
import { $deleted, clearSelection } from './event-selection.ts'
import { bringEventsBack, markEvents, removeEvents } from './events.ts'
import { showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'

/** Maximum number of events per call. */
const DELETE_MAX = 2000
const NOT_BROUGHT_BACK = 'The events could not be brought back. Try again.'
const NOT_DELETED = 'Some events could not be deleted. They are still in the list.'
const NOT_OWN = 'Only the owner of a camera can delete its events.'

/**
 * Deletes events of the user's own cameras. Hides the events immediately, and shows them again if the provider rejects
 * the deletion. The user can undo the deletion for a limited time.
 */
export async function deleteSelected(selected: readonly Event[]): Promise<void> {
  clearSelection()
  const own = new Set(
    $eventCameras.get().flatMap(({ device_id, user_role }) => (user_role === OWNER ? [device_id] : [])),
  )
  const events = selected.filter(({ device_id }) => own.has(device_id))
  if (events.length < selected.length) showToast('warning', NOT_OWN)
  removeEvents(events.map(({ event_id }) => event_id))
  const deletedEvents: Event[] = []
  let until = 0
  for (const part of chunkList(events, DELETE_MAX)) {
    const pending = request(deleteEvents, { event_ids: part.map(({ event_id }) => event_id) })
    const answer = await withFailureShown('toast', pending, NOT_DELETED)
    if (answer.ok) {
      deletedEvents.push(...part)
      until = answer.data.restore_until
    } else {
      bringEventsBack(events.filter((event) => !deletedEvents.includes(event)))
      break
    }
  }
  if (deletedEvents.length > 0) $deleted.set({ events: deletedEvents, until })
}

/** Undoes the last deletion. If a call fails, the user can retry for the events that are not restored yet. */
export async function undoDelete(): Promise<void> {
  const deleted = $deleted.get()
  if (!deleted) return
  $deleted.set(null)
  let back = 0
  for (const part of chunkList(deleted.events, DELETE_MAX)) {
    const pending = request(restoreEvents, { event_ids: part.map(({ event_id }) => event_id) })
    const answer = await withFailureShown('toast', pending, NOT_BROUGHT_BACK)
    if (!answer.ok) return $deleted.set({ ...deleted, events: deleted.events.slice(back) })
    bringEventsBack(part)
    back += part.length
  }
}

export function discardDeleted(): void {
  $deleted.set(null)
}

/** Marks the selected events as reviewed, or as not reviewed if all of them already are. */
export async function markSelected(events: readonly Event[]): Promise<void> {
  const reviewed = events.some((event) => !event.reviewed)
  const failure = await markEvents(events, reviewed)
  if (failure) showFailure('toast', failure, 'Some events could not be marked. Try again.')
}
