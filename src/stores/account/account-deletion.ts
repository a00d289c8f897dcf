import { atom } from 'nanostores'
import { getAccountLeave } from '../../../contract/account/account-deletion.ts'
import { request } from '../../api/api-client.ts'

/** Time of the account's deletion, ms UTC; null if it is not scheduled or not known yet. */
export const $leavesAt = atom<number | null>(null)

/** Loads in the background and ignores failures: the provider's page shows the deletion in any case. */
export async function loadAccountLeave(): Promise<void> {
  const answer = await request(getAccountLeave, {})
  if (answer.ok) $leavesAt.set(answer.data.leaves_at)
}
