import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../contract/brand.ts'
import {
  EMAIL_LEASE_MS,
  leasedEmail as mailSchema,
  type LeasedEmail,
  type EmailOutcome,
} from '../../contract/account/email-delivery.ts'
import { NOTIFICATION_KINDS, type NotificationKind } from '../../contract/account/notifications.ts'
import { readSeller } from '../platform/seller.ts'
import type { Env } from '../env.ts'
import { NOTIFICATION_FACTS } from './email/notification-data.ts'
import { homeTimeZoneSql, parseHomeTimeZone } from '../accounts/stored-settings/home-time-zone.ts'
import { createZonedFormats } from './email/email-format.ts'
import { buildEmail } from './email/email-templates.ts'
import { getSenderAddress } from './email/email-transport.ts'
import { renderEmail } from './email/render-email.ts'
import { createEmailLink } from './email-links.ts'
import { isUnsubscribable, createUnsubscribeUrl } from './unsubscribe.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

const BATCH_SIZE = 10
/** Urgent kinds of email. Each batch prefers due emails of these kinds over others. */
const URGENT_KINDS: readonly string[] = [
  'password_forgotten',
  'confirm_sign_up',
  'account_exists',
  'new_sign_in',
] satisfies NotificationKind[]
const URGENT_KINDS_SQL = URGENT_KINDS.map((kind) => `'${kind}'`).join(', ')
/**
 * Number of emails per batch that are reserved for non-urgent kinds, so that urgent emails never starve these kinds.
 */
const MIN_NON_URGENT_PER_BATCH = 1
/** Retry delay: exponential backoff from two seconds, capped at one hour. */
const RETRY_BASE_MS = 2000
const RETRY_MAX_MS = HOUR_MS

export interface MailRow {
  readonly message_id: string
  readonly user_id: string
  readonly email: string
  readonly kind: string
  readonly at: number
  readonly facts: string
  /** JSON of the time zone of the account's home; null if unset. */
  readonly time_zone: string | null
}

const MAIL_COLUMNS = `message_id, user_id, kind, at, facts, ${homeTimeZoneSql('messages.user_id')} AS time_zone,
  coalesce((SELECT email FROM accounts WHERE accounts.user_id = messages.user_id),
    (SELECT email FROM sign_ups WHERE sign_ups.user_id = messages.user_id),
    (SELECT email FROM invitation_links WHERE invitation_links.user_id = messages.user_id)) AS email`

/**
 * Composes the email of a notification. Returns null if this version does not support its kind, or if the facts or the
 * composed email do not match their schemas.
 */
export function composeEmail(env: Env, row: MailRow): LeasedEmail | null {
  const kind = NOTIFICATION_KINDS.find((messageKind) => messageKind === row.kind)
  const facts = kind && v.safeParse(NOTIFICATION_FACTS[kind], JSON.parse(row.facts))
  if (kind === undefined || !facts?.success) return null
  const unsubscribeUrl = isUnsubscribable(kind) ? createUnsubscribeUrl(env, { userId: row.user_id, kind }) : null
  const content = buildEmail<NotificationKind>(kind, facts.output, {
    formats: createZonedFormats(parseHomeTimeZone(row.time_zone)),
    link: createEmailLink(env, kind, row.message_id),
  })
  const headers = [
    { name: 'Auto-Submitted', value: 'auto-generated' },
    ...(unsubscribeUrl === null
      ? []
      : [
          { name: 'List-Unsubscribe', value: `<${unsubscribeUrl}>` },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ]),
  ]
  const mail = v.safeParse(mailSchema, {
    message_id: row.message_id,
    from: getSenderAddress(env),
    from_name: BRAND_NAME,
    reply_to: SUPPORT_ADDRESS,
    to: row.email,
    headers,
    ...renderEmail(content, {
      portalOrigin: env.PORTAL_ORIGIN,
      unsubscribe: unsubscribeUrl,
      seller: readSeller(env),
    }),
  })
  return mail.success ? mail.output : null
}

/**
 * SQL for the message ids of the next batch. Urgent emails come first. Emails of the same urgency are in the order of
 * their due times. `?2`: current time, ms UTC.
 */
const NEXT_BATCH_SQL = `SELECT message_id FROM (
    SELECT * FROM (${dueMailsSql(`1 AS urgent`, `IN (${URGENT_KINDS_SQL})`, BATCH_SIZE - MIN_NON_URGENT_PER_BATCH)})
    UNION ALL
    SELECT * FROM (${dueMailsSql(`0 AS urgent`, `NOT IN (${URGENT_KINDS_SQL})`, BATCH_SIZE)})
  ) ORDER BY urgent DESC, next_at LIMIT ${BATCH_SIZE}`

function dueMailsSql(urgent: string, kinds: string, limit: number): string {
  return `SELECT message_id, next_at, ${urgent} FROM messages
    WHERE mail = 'waiting' AND next_at <= ?2 AND kind ${kinds} ORDER BY next_at LIMIT ${limit}`
}

/**
 * Sorts emails for sending: oldest urgent, oldest non-urgent, other urgent, other non-urgent. One email of each
 * group comes first, because a slow sender may start only two emails within `EMAIL_SEND_START_MS`.
 */
function sortForSending(rows: readonly MailRow[]): MailRow[] {
  const byAge = rows.toSorted((a, b) => a.at - b.at)
  const [firstUrgent, ...urgent] = byAge.filter(({ kind }) => URGENT_KINDS.includes(kind))
  const [firstOther, ...others] = byAge.filter(({ kind }) => !URGENT_KINDS.includes(kind))
  return [firstUrgent, firstOther, ...urgent, ...others].flatMap((row) => row ?? [])
}

/**
 * Returns the next batch of due emails in sending order, and leases each to the caller for `EMAIL_LEASE_MS`. `now`: ms
 * UTC.
 */
export async function leaseEmails(env: Env, now: number): Promise<LeasedEmail[]> {
  await env.DB.prepare("UPDATE messages SET mail = 'late', next_at = NULL WHERE mail = 'waiting' AND until <= ?")
    .bind(now)
    .run()
  const { results } = await env.DB.prepare(
    `UPDATE messages SET tries = tries + 1, next_at = ?1 WHERE message_id IN (${NEXT_BATCH_SQL}) RETURNING ${MAIL_COLUMNS}`,
  )
    .bind(now + EMAIL_LEASE_MS, now)
    .all<MailRow>()
  const composed = sortForSending(results).map((row) => ({ row, mail: composeEmail(env, row) }))
  const composeFailures = composed.flatMap(({ row, mail }): EmailOutcome[] =>
    mail ? [] : [{ message_id: row.message_id, outcome: 'refused', why: 'the email couldn’t be composed' }],
  )
  await storeDeliveryOutcomes(env.DB, composeFailures, now)
  return composed.flatMap(({ mail }) => mail ?? [])
}

/** Stores the results of delivery attempts. Schedules failed emails for a retry with exponential backoff. */
export async function storeDeliveryOutcomes(
  db: D1Database,
  outcomes: readonly EmailOutcome[],
  now: number,
): Promise<void> {
  for (const { message_id, outcome, why } of outcomes) {
    await db
      .prepare(
        `UPDATE messages SET why = ?2, mail = CASE ?3 WHEN 'failed' THEN mail ELSE ?3 END,
           next_at = CASE ?3 WHEN 'failed' THEN ?4 + min(${RETRY_MAX_MS}, ${RETRY_BASE_MS} << min(tries - 1, 20)) END
         WHERE message_id = ?1 AND mail = 'waiting'`,
      )
      .bind(message_id, why, outcome, now)
      .run()
  }
}

/** Returns the time at which the next email is due, ms UTC; null if no email is waiting. */
export async function getNextEmailDueAt(db: D1Database): Promise<number | null> {
  return await db.prepare("SELECT min(next_at) AS at FROM messages WHERE mail = 'waiting'").first<number>('at')
}

export async function listStoredEmails(db: D1Database): Promise<MailRow[]> {
  const { results } = await db
    .prepare(`SELECT ${MAIL_COLUMNS} FROM messages WHERE mail <> 'none' ORDER BY at DESC, message_id LIMIT 100`)
    .all<MailRow>()
  return results
}

export async function findStoredEmail(db: D1Database, messageId: string): Promise<MailRow | null> {
  return await db
    .prepare(`SELECT ${MAIL_COLUMNS} FROM messages WHERE message_id = ? AND mail <> 'none'`)
    .bind(messageId)
    .first<MailRow>()
}
