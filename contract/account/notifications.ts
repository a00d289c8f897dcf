import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, id, timestampMs, text } from '../wire/envelope.ts'

export const NOTIFICATION_KINDS = [
  'trial_ends',
  'renewal_ahead',
  'card_ends',
  'charge_failed',
  'plan_ended',
  'bill',
  'refund_failed',
  'shared_camera',
  'camera_invitation',
  'new_sign_in',
  'password_forgotten',
  'confirm_sign_up',
  'account_exists',
  'account_leaves',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

const accountNotification = v.object({
  message_id: id,
  kind: v.picklist(NOTIFICATION_KINDS),
  at: timestampMs,
  seen: v.boolean(),
  /** Title and text as stored when the notification was created. */
  title: text(200),
  text: text(600),
  action: v.nullable(v.object({ label: text(60), path: text(300) })),
})
export type AccountNotification = v.InferOutput<typeof accountNotification>

/** Returns the account's notifications, newest first, 100 at most. */
export const getNotifications = call('EXT-messages', 'GET', '/extension/messages', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ messages: v.array(accountNotification), unseen: v.number() })),
})
export const markNotificationsSeen = call(
  'EXT-see-messages',
  'POST',
  '/extension/see-messages',
  'extension',
  {
    request: v.object({ message_ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(100)) }),
    response: envelope(200, v.object({ unseen: v.number() })),
  },
  { nonce: true },
)
