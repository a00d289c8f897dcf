import { atom } from 'nanostores'
import { getAccountLeave } from '../../../contract/account/account-deletion.ts'
import { request } from '../../api/api-client.ts'

/** When the account goes for good, ms UTC; null: it stays, or nobody knows yet. */
export const $leavesAt = atom<number | null>(null)

/** Asks in the background: the page of the provider says it in any case. */
export async function loadAccountLeave(): Promise<void> {
  const answer = await request(getAccountLeave, {})
  if (answer.ok) $leavesAt.set(answer.data.leaves_at)
}
