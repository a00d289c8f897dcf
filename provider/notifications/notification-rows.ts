import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { NOTIFICATION_KINDS, type AccountNotification } from '../../contract/account/notifications.ts'

const LIST_LIMIT = 100

const actionSchema = v.object({ label: v.string(), path: v.string() })

interface NotificationRow {
  readonly message_id: string
  readonly kind: string
  readonly at: number
  readonly seen: number
  readonly title: string
  readonly text: string
  readonly action: string | null
}

/** Returns the latest notifications of the account, newest first. Omits kinds that this version does not support. */
export async function listNotifications(db: D1Database, userId: string): Promise<AccountNotification[]> {
  const { results } = await db
    .prepare(
      `SELECT message_id, kind, at, seen, title, text, action FROM messages
       WHERE user_id = ? ORDER BY at DESC, message_id LIMIT ${LIST_LIMIT}`,
    )
    .bind(userId)
    .all<NotificationRow>()
  return results.flatMap((row) => {
    const kind = NOTIFICATION_KINDS.find((messageKind) => messageKind === row.kind)
    const parsedAction = v.safeParse(v.nullable(actionSchema), JSON.parse(row.action ?? 'null'))
    return kind ? { ...row, kind, seen: row.seen === 1, action: parsedAction.success ? parsedAction.output : null } : []
  })
}

export async function countUnseenNotifications(db: D1Database, userId: string): Promise<number> {
  const count = await db
    .prepare(
      `SELECT count(*) AS unseen FROM (
         SELECT seen FROM messages WHERE user_id = ? ORDER BY at DESC, message_id LIMIT ${LIST_LIMIT}
       ) WHERE seen = 0`,
    )
    .bind(userId)
    .first<number>('unseen')
  return count ?? 0
}

/** Marks the notifications `ids` of the account as seen. Ignores notifications of other accounts. */
export async function markAsSeen(db: D1Database, userId: string, ids: readonly string[]): Promise<void> {
  await db
    .prepare('UPDATE messages SET seen = 1 WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))')
    .bind(userId, JSON.stringify(ids))
    .run()
}
