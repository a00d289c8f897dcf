import { createHmac } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import type { NotificationKind } from '../../contract/account/notifications.ts'
import { isEqualConstantTime } from '../platform/crypto/constant-time-equal.ts'
import type { Env } from '../env.ts'

/** Kinds of email that users can turn off. All other kinds are about money or safety. */
const UNSUBSCRIBABLE_KINDS: readonly NotificationKind[] = ['shared_camera']
/**
 * Maximum emails per account per hour of each kind that users can turn off. The limit exists because other people
 * trigger these emails. Further notifications appear only in the list.
 */
export const MAX_UNSUBSCRIBABLE_EMAILS_PER_HOUR = 2
export const isUnsubscribable = (kind: NotificationKind): boolean => UNSUBSCRIBABLE_KINDS.includes(kind)

export const UNSUBSCRIBE_PATH = '/mail/stop'

interface EmailOptOut {
  readonly userId: string
  readonly kind: NotificationKind
}

const signOptOut = (key: string, { userId, kind }: EmailOptOut) =>
  createHmac('sha256', key).update(`no more letters\n${userId}\n${kind}`).digest('base64url')

/** Returns the unsubscribe URL for an account and kind of email. The URL works without sign-in. */
export function createUnsubscribeUrl(env: Pick<Env, 'PROVIDER_ORIGIN' | 'TICKET_KEY'>, optOut: EmailOptOut): string {
  const query = new URLSearchParams({ of: optOut.userId, kind: optOut.kind, by: signOptOut(env.TICKET_KEY, optOut) })
  return `${env.PROVIDER_ORIGIN}${UNSUBSCRIBE_PATH}?${query.toString()}`
}

/**
 * Returns the account and kind of email in an unsubscribe URL. Returns null if the signature is invalid, or if users
 * cannot turn off this kind.
 */
export function parseUnsubscribeUrl(env: Pick<Env, 'TICKET_KEY'>, query: URLSearchParams): EmailOptOut | null {
  const kind = UNSUBSCRIBABLE_KINDS.find((candidate) => candidate === query.get('kind'))
  const userId = query.get('of') ?? ''
  if (kind === undefined || userId === '') return null
  const stop = { userId, kind }
  return isEqualConstantTime(query.get('by') ?? '', signOptOut(env.TICKET_KEY, stop)) ? stop : null
}

export async function unsubscribe(db: D1Database, { userId, kind }: EmailOptOut): Promise<void> {
  await db
    .prepare('INSERT OR IGNORE INTO mail_stops (user_id, kind) SELECT user_id, ?2 FROM accounts WHERE user_id = ?1')
    .bind(userId, kind)
    .run()
}

export async function resubscribe(db: D1Database, { userId, kind }: EmailOptOut): Promise<void> {
  await db.prepare('DELETE FROM mail_stops WHERE user_id = ? AND kind = ?').bind(userId, kind).run()
}
