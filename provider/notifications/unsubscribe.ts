import { createHmac } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import type { MessageKind } from '../../contract/account/notifications.ts'
import { isEqualConstantTime } from '../platform/crypto/constant-time-equal.ts'
import type { Env } from '../env.ts'

/** Kinds of email that can be turned off. All others are about money or safety. */
const STOPPABLE: readonly MessageKind[] = ['shared_camera']
/**
 * Maximum number of emails of a kind that can be turned off, per account and hour, because other people can trigger
 * them. Further notifications appear only in the list.
 */
export const STOPPABLE_PER_HOUR = 2
export const isStoppable = (kind: MessageKind): boolean => STOPPABLE.includes(kind)

export const STOP_PATH = '/mail/stop'

interface Stop {
  readonly userId: string
  readonly kind: MessageKind
}

const signature = (key: string, { userId, kind }: Stop) =>
  createHmac('sha256', key).update(`no more letters\n${userId}\n${kind}`).digest('base64url')

/** Returns the unsubscribe URL for this kind and account. It needs no sign-in. */
export function stopAddress(env: Pick<Env, 'PROVIDER_ORIGIN' | 'TICKET_KEY'>, stop: Stop): string {
  const query = new URLSearchParams({ of: stop.userId, kind: stop.kind, by: signature(env.TICKET_KEY, stop) })
  return `${env.PROVIDER_ORIGIN}${STOP_PATH}?${query.toString()}`
}

/** Returns the account and kind of an unsubscribe URL, or null if its signature is invalid. */
export function readStop(env: Pick<Env, 'TICKET_KEY'>, query: URLSearchParams): Stop | null {
  const kind = STOPPABLE.find((candidate) => candidate === query.get('kind'))
  const userId = query.get('of') ?? ''
  if (kind === undefined || userId === '') return null
  const stop = { userId, kind }
  return isEqualConstantTime(query.get('by') ?? '', signature(env.TICKET_KEY, stop)) ? stop : null
}

export async function unsubscribe(db: D1Database, { userId, kind }: Stop): Promise<void> {
  await db
    .prepare('INSERT OR IGNORE INTO mail_stops (user_id, kind) SELECT user_id, ?2 FROM accounts WHERE user_id = ?1')
    .bind(userId, kind)
    .run()
}

export async function resumeLetters(db: D1Database, { userId, kind }: Stop): Promise<void> {
  await db.prepare('DELETE FROM mail_stops WHERE user_id = ? AND kind = ?').bind(userId, kind).run()
}
