import { atom } from 'nanostores'
import {
  getNotifications,
  type AccountNotification,
  markNotificationsSeen,
} from '../../../contract/account/notifications.ts'
import { request } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

export type NotificationsState =
  | { state: 'loading' }
  | { state: 'ready'; messages: readonly AccountNotification[]; unseen: number }
  | { state: 'failed'; failure: Failure }

/** Notifications of the account, newest first. */
export const $notifications = atom<NotificationsState>({ state: 'loading' })

export async function loadNotifications(): Promise<void> {
  if ($notifications.get().state === 'failed') $notifications.set({ state: 'loading' })
  const response = await withFailureShown('place', request(getNotifications, {}))
  $notifications.set(response.ok ? { state: 'ready', ...response.data } : { state: 'failed', failure: response })
}

const reportedIds = new Set<string>()

/**
 * Marks notifications as read on the server, each once. The page displays them as new until the next visit, so that the
 * user notices them. After a failure, the notifications stay new.
 */
export async function markAllSeen(notifications: readonly AccountNotification[]): Promise<void> {
  const ids = notifications
    .filter((message) => !message.seen && !reportedIds.has(message.message_id))
    .map(({ message_id }) => message_id)
  if (ids.length === 0) return
  ids.forEach((id) => reportedIds.add(id))
  const response = await request(markNotificationsSeen, { message_ids: ids })
  if (!response.ok) ids.forEach((id) => reportedIds.delete(id))
}
