import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, ms } from '../wire/envelope.ts'

/** Days in which somebody who has deleted the account can undo it. */
export const LEAVE_DAYS = 30
/** Page of the provider's origin on which an account is deleted, and that undone. */
export const LEAVE_PATH = '/account/delete'

/** When the account goes for good; null: it stays. */
export const getAccountLeave = call('EXT-account-leave', 'GET', '/extension/account-leave', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ leaves_at: v.nullable(ms) })),
})
