import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, timestampMs } from '../wire/envelope.ts'

/** Days during which a deleted account can be restored. */
export const ACCOUNT_DELETION_DAYS = 30
/** Path of the provider's page that deletes an account or undoes the deletion. */
export const ACCOUNT_DELETION_PATH = '/account/delete'

/**
 * Returns the time when the account will be deleted, null if no deletion is scheduled, and whether the account has
 * two-step verification.
 */
export const getAccountDeletion = call('EXT-account-leave', 'GET', '/extension/account-leave', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({ leaves_at: v.nullable(timestampMs), has_two_step: v.optional(v.nullable(v.boolean()), null) }),
  ),
})
