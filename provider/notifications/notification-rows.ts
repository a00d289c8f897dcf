import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { MESSAGE_KINDS, type AccountNotification } from '../../contract/account/notifications.ts'

const LISTED = 100

const action = v.object({ label: v.string(), path: v.string() })

interface Row {
  readonly message_id: string
  readonly kind: string
  readonly at: number
  readonly seen: number
  readonly title: string
  readonly text: string
  readonly action: string | null
}

/** Returns notifications of the account, newest first. Skips kinds that this version does not know. */
export async function listNotifications(db: D1Database, userId: string): Promise<AccountNotification[]> {
  const { results } = await db
    .prepare(
      `SELECT message_id, kind, at, seen, title, text, action FROM messages
       WHERE user_id = ? ORDER BY at DESC, message_id LIMIT ${LISTED}`,
    )
    .bind(userId)
    .all<Row>()
  return results.flatMap((row) => {
    const kind = MESSAGE_KINDS.find((messageKind) => messageKind === row.kind)
    const read = v.safeParse(v.nullable(action), JSON.parse(row.action ?? 'null'))
    return kind ? { ...row, kind, seen: row.seen === 1, action: read.success ? read.output : null } : []
  })
}

export async function countUnseen(db: D1Database, userId: string): Promise<number> {
  const count = await db
    .prepare(
      `SELECT count(*) AS unseen FROM (
         SELECT seen FROM messages WHERE user_id = ? ORDER BY at DESC, message_id LIMIT ${LISTED}
       ) WHERE seen = 0`,
    )
    .bind(userId)
    .first<number>('unseen')
  return count ?? 0
}

/** Marks notifications as seen. Ignores ids of other accounts. */
export async function see(db: D1Database, userId: string, ids: readonly string[]): Promise<void> {
  await db
    .prepare('UPDATE messages SET seen = 1 WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))')
    .bind(userId, JSON.stringify(ids))
    .run()
}
