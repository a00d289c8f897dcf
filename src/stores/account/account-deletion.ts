import { atom } from 'nanostores'
import { getAccountDeletion } from '../../../contract/account/account-deletion.ts'
import { request } from '../../api/api-client.ts'
import { $hasTwoStepVerification } from './two-step-verification.ts'

/** Time at which the provider will delete the account, ms UTC. Null before the load, or if no deletion is scheduled. */
export const $accountDeletionTime = atom<number | null>(null)

/**
 * Loads the time of a scheduled account deletion, and whether the account has two-step verification. Ignores failures, because the provider's page shows
 * the deletion too.
 */
export async function loadAccountDeletion(): Promise<void> {
  const response = await request(getAccountDeletion, {})
  if (!response.ok) return
  $accountDeletionTime.set(response.data.leaves_at)
  $hasTwoStepVerification.set(response.data.has_two_step)
}
