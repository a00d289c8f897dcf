import { atom } from 'nanostores'
import { getMessages, type AccountNotification, seeMessages } from '../../../contract/account/notifications.ts'
import { request } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

export type Messages =
  | { state: 'loading' }
  | { state: 'ready'; messages: readonly AccountNotification[]; unseen: number }
  | { state: 'failed'; failure: Failure }

/** Notifications of the account, newest first. */
export const $messages = atom<Messages>({ state: 'loading' })

export async function loadMessages(): Promise<void> {
  if ($messages.get().state === 'failed') $messages.set({ state: 'loading' })
  const answer = await withFailureShown('place', request(getMessages, {}))
  $messages.set(answer.ok ? { state: 'ready', ...answer.data } : { state: 'failed', failure: answer })
}

const noted = new Set<string>()

/**
 * Marks notifications as read on the server, each once. The page still displays them as new until the next visit, so
 * that the user notices them. A failure is silent and leaves them new.
 */
export async function markSeen(messages: readonly AccountNotification[]): Promise<void> {
  const ids = messages
    .filter((message) => !message.seen && !noted.has(message.message_id))
    .map(({ message_id }) => message_id)
  if (ids.length === 0) return
  ids.forEach((id) => noted.add(id))
  const answer = await request(seeMessages, { message_ids: ids })
  if (!answer.ok) ids.forEach((id) => noted.delete(id))
}
