import { atom } from 'nanostores'
import { getAccountLeave } from '../../../contract/account/account-deletion.ts'
import { request } from '../../api/api-client.ts'

/** Time at which the account will be deleted, ms UTC; null if no deletion is scheduled, or until it has loaded. */
export const $leavesAt = atom<number | null>(null)

/**
 * Loads the time of a scheduled account deletion in the background. Ignores failures, because the provider's page shows
 * the deletion in any case.
 */
export async function loadAccountLeave(): Promise<void> {
  const answer = await request(getAccountLeave, {})
  if (answer.ok) $leavesAt.set(answer.data.leaves_at)
}
