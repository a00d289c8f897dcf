import type { D1Database } from '@cloudflare/workers-types'
import { accountById, type AccountRow } from '../../accounts/account-rows.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'

/** A link to choose a new password lives so long. */
export const LINK_MS = 30 * 60_000
/**
 * Time between two mails to one address, ms. It is shorter than the life of a link, so that an address that strangers ask for
 * always has a link that works.
 */
export const MAIL_EVERY_MS = 20 * 60_000

/** A link ends with the password that it replaces. */
const passwordMark = ({ passwordHash }: AccountRow) => passwordHash.slice(-12)

/** Notes what stands in a link, as its hash. `until` in ms UTC. */
export async function addLink(db: D1Database, account: AccountRow, link: string, until: number): Promise<void> {
  await db
    .prepare('INSERT OR IGNORE INTO password_links (link_hash, user_id, password, until) VALUES (?, ?, ?, ?)')
    .bind(hashToken(link), account.userId, passwordMark(account), until)
    .run()
}

/** Returns whether the account was sent a link in the last minutes that still works. `now` in ms UTC. */
export async function hasNewLink(db: D1Database, account: AccountRow, now: number): Promise<boolean> {
  const row = await db
    .prepare('SELECT 1 AS one FROM password_links WHERE user_id = ? AND password = ? AND until > ? LIMIT 1')
    .bind(account.userId, passwordMark(account), now + LINK_MS - MAIL_EVERY_MS)
    .first()
  return row !== null
}

/** The account that the link belongs to, while it is good; it stays as it is. */
export async function accountOfLink(db: D1Database, link: string, now: number): Promise<AccountRow | null> {
  const row = await db
    .prepare('SELECT user_id, password FROM password_links WHERE link_hash = ? AND until > ?')
    .bind(hashToken(link), now)
    .first<{ user_id: string; password: string }>()
  const account = row && (await accountById(db, row.user_id))
  return account && passwordMark(account) === row.password ? account : null
}

/** Sets the password by the link, which ends with all others of the account; false where another request was faster, or it is over. `now` in ms UTC. */
export async function consumeResetLink(
  db: D1Database,
  { userId }: AccountRow,
  { link, hash }: { readonly link: string; readonly hash: string },
  now: number,
): Promise<boolean> {
  const [changed] = await db.batch([
    db
      .prepare(
        `UPDATE accounts SET password_hash = ?1 WHERE user_id = ?2
         AND EXISTS (SELECT 1 FROM password_links WHERE link_hash = ?3 AND user_id = ?2 AND until > ?4
           AND password = substr(accounts.password_hash, -12))`,
      )
      .bind(hash, userId, hashToken(link), now),
    db.prepare('DELETE FROM password_links WHERE user_id = ?').bind(userId),
  ])
  return (changed?.meta.changes ?? 0) > 0
}

/** Deletes links that are over at `now`, ms UTC. */
export async function deleteExpiredLinks(db: D1Database, now: number): Promise<void> {
  await db.prepare('DELETE FROM password_links WHERE until <= ?').bind(now).run()
}
