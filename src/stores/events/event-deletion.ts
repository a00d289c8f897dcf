import type { Event } from '../../../contract/events/events.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import { request } from '../../api/api-client.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { $eventCameras } from './event-cameras.ts'
import { $deletedEvents, clearEventSelection } from './event-selection.ts'
import { restoreDeletedEvents, markEvents, removeEvents } from './events.ts'
import { showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'

const MAX_EVENTS_PER_CALL = 2000
const RESTORE_FAILED_TEXT = 'We couldn’t restore the events. Try again.'
const DELETION_FAILED_TEXT = 'We couldn’t delete some events. They’re still in the list.'
const NOT_OWNER_TEXT = 'Events from cameras shared with you weren’t deleted.'

/**
 * Deletes the selected events of the user's own cameras; skips events of other cameras with a warning. Hides the events
 * immediately. If a call fails, shows the events again that were not deleted. The user can undo the deletion for a
 * limited time.
 */
export async function deleteEventsOfOwner(selected: readonly Event[]): Promise<void> {
  clearEventSelection()
  const ownCameras = new Set(
    $eventCameras.get().flatMap(({ device_id, user_role }) => (user_role === OWNER_ROLE ? [device_id] : [])),
  )
  const events = selected.filter(({ device_id }) => ownCameras.has(device_id))
  if (events.length < selected.length) showToast('warning', NOT_OWNER_TEXT)
  removeEvents(events.map(({ event_id }) => event_id))
  const deletedEvents: Event[] = []
  let restoreUntil = 0
  for (const batch of chunkList(events, MAX_EVENTS_PER_CALL)) {
    const pending = request(deleteEvents, { event_ids: batch.map(({ event_id }) => event_id) })
    const response = await withFailureShown('toast', pending, DELETION_FAILED_TEXT)
    if (response.ok) {
      deletedEvents.push(...batch)
      restoreUntil = response.data.restore_until
    } else {
      restoreDeletedEvents(events.filter((event) => !deletedEvents.includes(event)))
      break
    }
  }
  if (deletedEvents.length > 0) $deletedEvents.set({ events: deletedEvents, until: restoreUntil })
}

/** Undoes the last deletion. If a call fails, the user can retry the undo for the remaining events. */
export async function undoDeletion(): Promise<void> {
  const deleted = $deletedEvents.get()
  if (!deleted) return
  $deletedEvents.set(null)
  let restoredCount = 0
  for (const batch of chunkList(deleted.events, MAX_EVENTS_PER_CALL)) {
    const pending = request(restoreEvents, { event_ids: batch.map(({ event_id }) => event_id) })
    const response = await withFailureShown('toast', pending, RESTORE_FAILED_TEXT)
    if (!response.ok) return $deletedEvents.set({ ...deleted, events: deleted.events.slice(restoredCount) })
    restoreDeletedEvents(batch)
    restoredCount += batch.length
  }
}

export function dismissDeletionUndo(): void {
  $deletedEvents.set(null)
}

/** Marks the events as reviewed, or as not reviewed if all of them are reviewed already. */
export async function toggleReviewed(events: readonly Event[]): Promise<void> {
  const reviewed = events.some((event) => !event.reviewed)
  const failure = await markEvents(events, reviewed)
  if (failure) showFailure('toast', failure, 'We couldn’t update some events. Try again.')
}
