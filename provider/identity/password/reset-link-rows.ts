import type { D1Database } from '@cloudflare/workers-types'
import { findAccountById, type AccountRow } from '../../accounts/account-rows.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'

export const RESET_LINK_LIFETIME_MS = 30 * 60_000
/**
 * Minimum time between two reset emails to one address. It is shorter than the lifetime of a link. The user can
 * therefore always get a working link, even if other people request links.
 */
export const RESET_EMAIL_INTERVAL_MS = 20 * 60_000

/** Returns the end of the password hash. Each reset link stores it, so that a password change invalidates the link. */
const passwordHashSuffix = ({ passwordHash }: AccountRow) => passwordHash.slice(-12)

/** Stores the hash of a reset link. `until` in ms UTC. */
export async function storeResetLink(db: D1Database, account: AccountRow, link: string, until: number): Promise<void> {
  await db
    .prepare('INSERT OR IGNORE INTO password_links (link_hash, user_id, password, until) VALUES (?, ?, ?, ?)')
    .bind(hashToken(link), account.userId, passwordHashSuffix(account), until)
    .run()
}

/** Returns true if the account got a link within `RESET_EMAIL_INTERVAL_MS` that still works. `now` in ms UTC. */
export async function wasResetLinkSentRecently(db: D1Database, account: AccountRow, now: number): Promise<boolean> {
  const row = await db
    .prepare('SELECT 1 AS one FROM password_links WHERE user_id = ? AND password = ? AND until > ? LIMIT 1')
    .bind(account.userId, passwordHashSuffix(account), now + RESET_LINK_LIFETIME_MS - RESET_EMAIL_INTERVAL_MS)
    .first()
  return row !== null
}

/**
 * Returns the account of a reset link, without consuming the link. Returns null if the link is unknown, has expired or
 * was created for an earlier password.
 */
export async function findAccountByResetLink(db: D1Database, link: string, now: number): Promise<AccountRow | null> {
  const row = await db
    .prepare('SELECT user_id, password FROM password_links WHERE link_hash = ? AND until > ?')
    .bind(hashToken(link), now)
    .first<{ user_id: string; password: string }>()
  const account = row && (await findAccountById(db, row.user_id))
  return account && passwordHashSuffix(account) === row.password ? account : null
}

/**
 * Sets the password if the link is valid, and always deletes all reset links of the account. Returns false if the link
 * has expired, was already used, or was created for an earlier password. `now` in ms UTC.
 */
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

export async function deleteExpiredResetLinks(db: D1Database, now: number): Promise<void> {
  await db.prepare('DELETE FROM password_links WHERE until <= ?').bind(now).run()
}
