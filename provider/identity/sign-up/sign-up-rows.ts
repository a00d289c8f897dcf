import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { hashToken } from '../../platform/crypto/token-hash.ts'

export const SIGN_UP_LIFETIME_MS = 24 * 3_600_000

/** Account that waits for the confirmation of its email address. */
export interface PendingSignUp {
  /** Id of the future account. */
  readonly userId: string
  readonly email: string
  readonly passwordHash: string
  /** Page of the portal to open after the first sign-in. */
  readonly path: string
}

/** Tokens of a sign-up: `link` in the confirmation email, `browser` in a cookie of the browser that signed up. */
export interface SignUpTokens {
  readonly link: string
  readonly browser: string
}

/** Stores a sign-up until the time `until`, ms UTC. */
export async function storeSignUp(
  db: D1Database,
  { userId, email, passwordHash, path }: PendingSignUp,
  { link, browser }: SignUpTokens,
  until: number,
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO sign_ups (user_id, email, password_hash, link_hash, browser_hash, path, until)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(userId, email, passwordHash, hashToken(link), hashToken(browser), path, until)
    .run()
}

/**
 * Returns the sign-up of a confirmation link; null if the link is unknown or has expired. `isSameBrowser`: true if
 * `browser` is the token of the browser that signed up. `now`: ms UTC.
 */
export async function findSignUp(
  db: D1Database,
  { link, browser }: SignUpTokens,
  now: number,
): Promise<(PendingSignUp & { readonly isSameBrowser: boolean }) | null> {
  const row = await db
    .prepare(
      `SELECT user_id AS userId, email, password_hash AS passwordHash, path, browser_hash = ? AS isSameBrowser
       FROM sign_ups WHERE link_hash = ? AND until > ?`,
    )
    .bind(hashToken(browser), hashToken(link), now)
    .first<PendingSignUp & { isSameBrowser: number }>()
  return row && { ...row, isSameBrowser: row.isSameBrowser === 1 }
}

/**
 * Deletes the other sign-ups of an address that has an account now, and its confirmation emails. The confirmed sign-up
 * stays until it expires, so that a second click on its link leads to the same page.
 */
export async function deleteOtherSignUps(db: D1Database, { userId, email }: PendingSignUp): Promise<void> {
  await db.batch([
    deleteConfirmationEmails(db, 'email = ?', email),
    db.prepare('DELETE FROM sign_ups WHERE email = ? AND user_id <> ?').bind(email, userId),
  ])
}

export async function deleteExpiredSignUps(db: D1Database, now: number): Promise<void> {
  await db.batch([
    deleteConfirmationEmails(db, 'until <= ?', now),
    db.prepare('DELETE FROM sign_ups WHERE until <= ?').bind(now),
  ])
}

function deleteConfirmationEmails(db: D1Database, condition: string, value: string | number): D1PreparedStatement {
  const signUps = `SELECT user_id FROM sign_ups WHERE ${condition}`
  return db.prepare(`DELETE FROM messages WHERE kind = 'confirm_sign_up' AND user_id IN (${signUps})`).bind(value)
}

/** Returns true if a camera was shared with this address. `email`: as `canonicalizeEmail` returns it. */
export async function isInvited(db: D1Database, email: string): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM invitations WHERE email = ? LIMIT 1').bind(email).first()) !== null
}
