import { atom } from 'nanostores'
import { getMessages, type Message, seeMessages } from '../../../contract/account/notifications.ts'
import { request } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

export type Messages =
  | { state: 'loading' }
  | { state: 'ready'; messages: readonly Message[]; unseen: number }
  | { state: 'failed'; failure: Failure }

/** What the account was told, the newest first. */
export const $messages = atom<Messages>({ state: 'loading' })

export async function loadMessages(): Promise<void> {
  if ($messages.get().state === 'failed') $messages.set({ state: 'loading' })
  const answer = await withFailureShown('place', request(getMessages, {}))
  $messages.set(answer.ok ? { state: 'ready', ...answer.data } : { state: 'failed', failure: answer })
}

const noted = new Set<string>()

/**
 * Notes that these were read, each once. They stay marked as new until the next visit, so that whoever reads them sees which
 * are; a failure leaves them new then too, and is told nowhere.
 */
export async function markSeen(messages: readonly Message[]): Promise<void> {
  const ids = messages
    .filter((message) => !message.seen && !noted.has(message.message_id))
    .map(({ message_id }) => message_id)
  if (ids.length === 0) return
  ids.forEach((id) => noted.add(id))
  const answer = await request(seeMessages, { message_ids: ids })
  if (!answer.ok) ids.forEach((id) => noted.delete(id))
}
