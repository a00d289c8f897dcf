import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, ms } from '../wire/envelope.ts'

/** Days during which a deleted account can be restored. */
export const LEAVE_DAYS = 30
/** Page of the provider's origin that deletes an account or undoes that. */
export const LEAVE_PATH = '/account/delete'

/** Returns the time when the account will be deleted; null if no deletion is scheduled. */
export const getAccountLeave = call('EXT-account-leave', 'GET', '/extension/account-leave', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ leaves_at: v.nullable(ms) })),
})
