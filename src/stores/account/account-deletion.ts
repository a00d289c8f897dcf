import { atom } from 'nanostores'
import { getAccountDeletion } from '../../../contract/account/account-deletion.ts'
import { request } from '../../api/api-client.ts'

/** Time at which the provider will delete the account, ms UTC. Null before the load, or if no deletion is scheduled. */
export const $accountDeletionTime = atom<number | null>(null)

/**
 * Loads the time of a scheduled account deletion in the background. Ignores failures, because the provider's page shows
 * the deletion too.
 */
export async function loadAccountDeletion(): Promise<void> {
  const response = await request(getAccountDeletion, {})
  if (response.ok) $accountDeletionTime.set(response.data.leaves_at)
}
