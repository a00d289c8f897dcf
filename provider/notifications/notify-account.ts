import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { MessageKind } from '../../contract/account/notifications.ts'
import type { Env } from '../env.ts'
import { FACTS, type Facts } from './email/notification-data.ts'
import { buildEmail } from './email/email-templates.ts'
import { mailWay } from './email/email-transport.ts'
import { isStoppable, STOPPABLE_PER_HOUR } from './unsubscribe.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts'

/** Notification for an account. `key` makes it idempotent: the same kind and key is sent once. `at` in ms UTC. */
export type NotificationRequest<Kind extends MessageKind = MessageKind> = {
  [K in Kind]: {
    readonly userId: string
    readonly kind: K
    readonly key: string
    readonly facts: Facts[K]
    readonly at: number
    /** Id of the message if it is already used elsewhere; a new id if absent. */
    readonly messageId?: string
  }
}[Kind]

/** Maximum time that an email is retried. */
const MAIL_LIFE_MS = 7 * DAY_MS
const KEPT_MS = 730 * DAY_MS
const TITLE_MAX = 200
const TEXT_MAX = 600
/** Name of the single `Mailer` object. */
export const MAILER = 'mails'

export const newMessageId = (): string => `msg_${randomBytes(12).toString('hex')}`

const getEmailExpiry = (request: NotificationRequest, now: number): number =>
  request.kind === 'password_forgotten' ? request.facts.until : now + MAIL_LIFE_MS

/**
 * Notifies an account in its list and by email. Idempotent by kind and key: returns the message id if this call created
 * it, else null. Only logs invalid facts, so that they do not block ordered callers.
 */
export async function notifyAccount(env: Env, request: NotificationRequest): Promise<string | null> {
  const { userId, kind, key, at } = request
  // A test clock may be ahead; emails use real time.
  const now = Math.min(at, Date.now())
  const read = v.safeParse(FACTS[kind], request.facts)
  if (!read.success) {
    console.error(JSON.stringify({ at: 'messages', kind, error: `wrong facts: ${v.getDotPath(read.issues[0]) ?? ''}` }))
    return null
  }
  const facts = read.output
  const { title, text, action } = buildEmail<MessageKind>(kind, facts)
  const way = mailWay(env)
  const waits = way === 'api' || way === 'smtp'
  const id = await env.DB.prepare(
    `INSERT INTO messages (message_id, user_id, kind, key, at, title, text, action, facts, mail, next_at, until)
     SELECT ?1, user_id, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
       CASE WHEN EXISTS (SELECT 1 FROM mail_stops WHERE user_id = ?2 AND kind = ?3)
         OR ?13 <= (SELECT count(*) FROM messages WHERE user_id = ?2 AND kind = ?3 AND mail <> 'none' AND at > ?5 - ${HOUR_MS})
         THEN 'none' ELSE ?10 END, ?11, ?12
     FROM accounts WHERE user_id = ?2 ON CONFLICT (user_id, kind, key) DO NOTHING RETURNING message_id`,
  )
    .bind(
      ...[request.messageId ?? newMessageId(), userId, kind, key, at],
      ...[title.slice(0, TITLE_MAX), text.slice(0, TEXT_MAX), action && JSON.stringify(action), JSON.stringify(facts)],
      ...[waits ? 'waiting' : way, waits ? now : null, getEmailExpiry(request, now)],
      isStoppable(kind) ? STOPPABLE_PER_HOUR : Number.MAX_SAFE_INTEGER,
    )
    .first<string>('message_id')
  await env.DB.prepare('DELETE FROM messages WHERE user_id = ? AND at < ?')
    .bind(userId, now - KEPT_MS)
    .run()
  // Also wakes the mailer for an existing notification: an earlier call may have failed here.
  if (way === 'api') await env.MAILERS.getByName(MAILER).wake(now)
  return id
}
