import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { NotificationKind } from '../../contract/account/notifications.ts'
import type { Env } from '../env.ts'
import { NOTIFICATION_FACTS, type NotificationFacts } from './email/notification-data.ts'
import { readHomeTimeZone } from '../accounts/stored-settings/home-time-zone.ts'
import { createZonedFormats } from './email/email-format.ts'
import { buildEmail } from './email/email-templates.ts'
import { getEmailTransportKind } from './email/email-transport.ts'
import { isUnsubscribable, MAX_UNSUBSCRIBABLE_EMAILS_PER_HOUR } from './unsubscribe.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts'
import { getObject } from '../platform/objects.ts'

/**
 * Notification for an account. `key` makes requests idempotent: a second request with the same account, kind and key
 * stores no notification. `at`: ms UTC.
 */
export type NotificationRequest<Kind extends NotificationKind = NotificationKind> = {
  [K in Kind]: {
    readonly userId: string
    readonly kind: K
    readonly key: string
    readonly facts: NotificationFacts[K]
    readonly at: number
    /** Message id that the caller has already used, for example in a link. Without it, the provider creates an id. */
    readonly messageId?: string
  }
}[Kind]

/** Time after which the provider stops retrying an unsent email. */
const EMAIL_LIFETIME_MS = 7 * DAY_MS
/** Kinds whose email contains a link that expires. */
const EXPIRING_KINDS: readonly NotificationKind[] = ['password_forgotten', 'confirm_sign_up', 'camera_invitation']
const RETENTION_MS = 730 * DAY_MS
const TITLE_MAX_LENGTH = 200
const TEXT_MAX_LENGTH = 600
export const MAILER_NAME = 'mails'

export const createMessageId = (): string => `msg_${randomBytes(12).toString('hex')}`

const getEmailExpiry = (request: NotificationRequest, now: number): number =>
  'until' in request.facts && EXPIRING_KINDS.includes(request.kind) ? request.facts.until : now + EMAIL_LIFETIME_MS

/**
 * Adds a notification to the account's list. Also sends it by email, unless the user has unsubscribed from its kind or
 * the hourly limit of this kind is reached. Returns the message id; null if the notification exists, the account is
 * unknown or the facts are invalid. Logs invalid facts instead of throwing, so that they do not block the caller.
 */
export async function notifyAccount(env: Env, request: NotificationRequest): Promise<string | null> {
  const { userId, kind, key, at } = request
  // A test clock can set `at` to a future time, but the provider sends emails in real time.
  const now = Math.min(at, Date.now())
  const parsed = v.safeParse(NOTIFICATION_FACTS[kind], request.facts)
  if (!parsed.success) {
    console.error(
      JSON.stringify({ at: 'messages', kind, error: `invalid facts: ${v.getDotPath(parsed.issues[0]) ?? ''}` }),
    )
    return null
  }
  const facts = parsed.output
  const formats = createZonedFormats(await readHomeTimeZone(env.DB, userId))
  const { title, text, action } = buildEmail<NotificationKind>(kind, facts, { formats })
  const transportKind = getEmailTransportKind(env)
  const isQueued = transportKind === 'api' || transportKind === 'smtp'
  const id = await env.DB.prepare(
    `INSERT INTO messages (message_id, user_id, kind, key, at, title, text, action, facts, mail, next_at, until)
     SELECT ?1, user_id, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
       CASE WHEN EXISTS (SELECT 1 FROM mail_stops WHERE user_id = ?2 AND kind = ?3)
         OR ?13 <= (SELECT count(*) FROM messages WHERE user_id = ?2 AND kind = ?3 AND mail <> 'none' AND at > ?5 - ${HOUR_MS})
         THEN 'none' ELSE ?10 END, ?11, ?12
     FROM (SELECT user_id FROM accounts UNION ALL SELECT user_id FROM sign_ups
       UNION ALL SELECT user_id FROM invitation_links) WHERE user_id = ?2 ON CONFLICT (user_id, kind, key) DO NOTHING RETURNING message_id`,
  )
    .bind(
      request.messageId ?? createMessageId(),
      userId,
      kind,
      key,
      at,
      title.slice(0, TITLE_MAX_LENGTH),
      text.slice(0, TEXT_MAX_LENGTH),
      action && JSON.stringify(action),
      JSON.stringify(facts),
      isQueued ? 'waiting' : transportKind,
      isQueued ? now : null,
      getEmailExpiry(request, now),
      isUnsubscribable(kind) ? MAX_UNSUBSCRIBABLE_EMAILS_PER_HOUR : Number.MAX_SAFE_INTEGER,
    )
    .first<string>('message_id')
  await env.DB.prepare('DELETE FROM messages WHERE user_id = ? AND at < ?')
    .bind(userId, now - RETENTION_MS)
    .run()
  // Wake the mailer even for an existing notification, because an earlier call may have failed before this line.
  if (transportKind === 'api') await getObject(env, 'MAILERS', MAILER_NAME).wake(now)
  return id
}
