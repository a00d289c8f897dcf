import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../contract/brand.ts'
import { LENT_MS, mail as mailSchema, type Mail, type MailOutcome } from '../../contract/account/email-delivery.ts'
import { MESSAGE_KINDS, type MessageKind } from '../../contract/account/notifications.ts'
import { readSeller } from '../platform/seller.ts'
import type { Env } from '../env.ts'
import { FACTS } from './email/notification-data.ts'
import { buildEmail } from './email/email-templates.ts'
import { mailFrom } from './email/email-transport.ts'
import { render } from './email/render-email.ts'
import { passwordAddress } from './password-reset-link.ts'
import { isStoppable, stopAddress } from './unsubscribe.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/** Maximum number of emails that one call leases. */
const BATCH = 10
/** Kinds of email that people wait for. They are sent before all others. */
const URGENT: readonly string[] = ['password_forgotten', 'new_sign_in'] satisfies MessageKind[]
const URGENT_LIST = URGENT.map((kind) => `'${kind}'`).join(', ')
/** Minimum number of emails in a batch that are not urgent, so that urgent emails never starve them. */
const OTHERS_MIN = 1
/** Retry delay: exponential backoff from two seconds, capped at one hour. */
const AGAIN_MS = 2000
const LONGEST_MS = HOUR_MS

export interface MailRow {
  readonly message_id: string
  readonly user_id: string
  readonly email: string
  readonly kind: string
  readonly at: number
  readonly facts: string
}

const MAIL = `message_id, user_id, kind, at, facts,
  (SELECT email FROM accounts WHERE accounts.user_id = messages.user_id) AS email`

/**
 * Composes the email of a notification. Returns null if the email address is invalid or the facts do not fit this
 * version's schema.
 */
export function composeEmail(env: Env, row: MailRow): Mail | null {
  const kind = MESSAGE_KINDS.find((messageKind) => messageKind === row.kind)
  const facts = kind && v.safeParse(FACTS[kind], JSON.parse(row.facts))
  if (kind === undefined || !facts?.success) return null
  const stop = isStoppable(kind) ? stopAddress(env, { userId: row.user_id, kind }) : null
  const letter = buildEmail<MessageKind>(kind, facts.output, passwordAddress(env, row.message_id))
  const headers = [
    { name: 'Auto-Submitted', value: 'auto-generated' },
    ...(stop === null
      ? []
      : [
          { name: 'List-Unsubscribe', value: `<${stop}>` },
          { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
        ]),
  ]
  const mail = v.safeParse(mailSchema, {
    ...{ message_id: row.message_id, from: mailFrom(env), from_name: BRAND_NAME, reply_to: SUPPORT_ADDRESS },
    ...{
      to: row.email,
      headers,
      ...render(letter, { portalOrigin: env.PORTAL_ORIGIN, unsubscribe: stop, seller: readSeller(env) }),
    },
  })
  return mail.success ? mail.output : null
}

/**
 * SQL for the message ids of the next batch: first urgent emails, then the other emails that have been due longest.
 * `?2` is the current time.
 */
const NEXT_BATCH = `SELECT message_id FROM (
    SELECT * FROM (${dueMails(`1 AS urgent`, `IN (${URGENT_LIST})`, BATCH - OTHERS_MIN)})
    UNION ALL
    SELECT * FROM (${dueMails(`0 AS urgent`, `NOT IN (${URGENT_LIST})`, BATCH)})
  ) ORDER BY urgent DESC, next_at LIMIT ${BATCH}`

function dueMails(urgent: string, kinds: string, limit: number): string {
  return `SELECT message_id, next_at, ${urgent} FROM messages
    WHERE mail = 'waiting' AND next_at <= ?2 AND kind ${kinds} ORDER BY next_at LIMIT ${limit}`
}

/**
 * Returns the sending order: the oldest urgent email, the oldest other email, the remaining urgent emails, then the
 * rest, each by age. The other email comes second, because a slow sender starts at most two emails of a batch
 * (`SENDING_MS`).
 */
function inOrder(rows: readonly MailRow[]): MailRow[] {
  const byAge = rows.toSorted((a, b) => a.at - b.at)
  const [firstUrgent, ...urgent] = byAge.filter(({ kind }) => URGENT.includes(kind))
  const [firstOther, ...others] = byAge.filter(({ kind }) => !URGENT.includes(kind))
  return [firstUrgent, firstOther, ...urgent, ...others].flatMap((row) => row ?? [])
}

/** Returns due emails in sending order, each leased to the caller for `LENT_MS`. Times are ms UTC. */
export async function leaseMails(env: Env, now: number): Promise<Mail[]> {
  await env.DB.prepare("UPDATE messages SET mail = 'late', next_at = NULL WHERE mail = 'waiting' AND until <= ?")
    .bind(now)
    .run()
  const { results } = await env.DB.prepare(
    `UPDATE messages SET tries = tries + 1, next_at = ?1 WHERE message_id IN (${NEXT_BATCH}) RETURNING ${MAIL}`,
  )
    .bind(now + LENT_MS, now)
    .all<MailRow>()
  const made = inOrder(results).map((row) => ({ row, mail: composeEmail(env, row) }))
  const unmade = made.flatMap(({ row, mail }): MailOutcome[] =>
    mail ? [] : [{ message_id: row.message_id, outcome: 'refused', why: 'it could not be made' }],
  )
  await settleMails(env.DB, unmade, now)
  return made.flatMap(({ mail }) => mail ?? [])
}

/** Stores the results of delivery attempts. A failed email is retried with exponential backoff. */
export async function settleMails(db: D1Database, outcomes: readonly MailOutcome[], now: number): Promise<void> {
  for (const { message_id, outcome, why } of outcomes) {
    await db
      .prepare(
        `UPDATE messages SET why = ?2, mail = CASE ?3 WHEN 'failed' THEN mail ELSE ?3 END,
           next_at = CASE ?3 WHEN 'failed' THEN ?4 + min(${LONGEST_MS}, ${AGAIN_MS} << min(tries - 1, 20)) END
         WHERE message_id = ?1 AND mail = 'waiting'`,
      )
      .bind(message_id, why, outcome, now)
      .run()
  }
}

/** Returns when the next email is due, in ms UTC, or null if none waits. */
export async function nextMail(db: D1Database): Promise<number | null> {
  return await db.prepare("SELECT min(next_at) AS at FROM messages WHERE mail = 'waiting'").first<number>('at')
}

export async function keptMails(db: D1Database): Promise<MailRow[]> {
  const { results } = await db
    .prepare(`SELECT ${MAIL} FROM messages WHERE mail <> 'none' ORDER BY at DESC, message_id LIMIT 100`)
    .all<MailRow>()
  return results
}

export async function keptMail(db: D1Database, messageId: string): Promise<MailRow | null> {
  return await db
    .prepare(`SELECT ${MAIL} FROM messages WHERE message_id = ? AND mail <> 'none'`)
    .bind(messageId)
    .first<MailRow>()
}
