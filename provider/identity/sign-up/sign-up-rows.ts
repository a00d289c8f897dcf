import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { hashToken } from '../../platform/crypto/token-hash.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export const SIGN_UP_LIFETIME_MS = DAY_MS
/** Time after its expiry during which a link can still request a new link. */
const RENEWAL_MS = 7 * DAY_MS

/** Account that waits for the confirmation of its email address. */
export interface PendingSignUp {
  /** Id of the future account. */
  readonly userId: string
  readonly email: string
  readonly passwordHash: string
  /** Page of the portal to open after the first sign-in. */
  readonly path: string
  /** Hash of the token of the browser that chose the password. */
  readonly browserHash: string
}

const COLUMNS = 'user_id AS userId, email, password_hash AS passwordHash, path, browser_hash AS browserHash'

/** Stores a sign-up until the time `until`, ms UTC. `link`: token in the confirmation email. */
export async function storeSignUp(
  db: D1Database,
  { userId, email, passwordHash, path, browserHash }: PendingSignUp,
  link: string,
  until: number,
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO sign_ups (user_id, email, password_hash, link_hash, browser_hash, path, until)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(userId, email, passwordHash, hashToken(link), browserHash, path, until)
    .run()
}

export type FoundSignUp = PendingSignUp & { readonly isSameBrowser: boolean; readonly isExpired: boolean }

/**
 * Returns the sign-up of a confirmation link; null if the link is unknown. `isSameBrowser`: true if `browser` is the
 * token of the browser that signed up. `now`: ms UTC.
 */
export async function findSignUp(
  db: D1Database,
  { link, browser }: { readonly link: string; readonly browser: string },
  now: number,
): Promise<FoundSignUp | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS}, until FROM sign_ups WHERE link_hash = ?`)
    .bind(hashToken(link))
    .first<PendingSignUp & { until: number }>()
  if (row === null) return null
  const { until, ...signUp } = row
  return { ...signUp, isSameBrowser: signUp.browserHash === hashToken(browser), isExpired: until <= now }
}

/** Returns the last sign-up of this browser for this address; null if no email was sent. */
export async function findBrowserSignUp(
  db: D1Database,
  { email, browser }: { readonly email: string; readonly browser: string },
): Promise<PendingSignUp | null> {
  return await db
    .prepare(`SELECT ${COLUMNS} FROM sign_ups WHERE browser_hash = ? AND email = ? ORDER BY until DESC LIMIT 1`)
    .bind(hashToken(browser), email)
    .first<PendingSignUp>()
}

/** Returns true if the account that this browser requested for this address exists. */
export async function isSignUpConfirmed(
  db: D1Database,
  { email, browser }: { readonly email: string; readonly browser: string },
): Promise<boolean> {
  const row = await db
    .prepare('SELECT 1 FROM sign_ups JOIN accounts USING (user_id) WHERE browser_hash = ? AND sign_ups.email = ?')
    .bind(hashToken(browser), email)
    .first()
  return row !== null
}

/**
 * Deletes the other sign-ups of an address that has an account now, and its confirmation emails. The confirmed sign-up
 * stays until it expires, so that a second click on its link leads to the same page.
 */
export async function deleteOtherSignUps(
  db: D1Database,
  { userId, email }: Pick<PendingSignUp, 'userId' | 'email'>,
): Promise<void> {
  await db.batch([
    deleteConfirmationEmails(db, 'email = ?', email),
    db.prepare('DELETE FROM sign_ups WHERE email = ? AND user_id <> ?').bind(email, userId),
  ])
}

export async function deleteExpiredSignUps(db: D1Database, now: number): Promise<void> {
  await db.batch([
    deleteConfirmationEmails(db, 'until <= ?', now),
    db.prepare('DELETE FROM sign_ups WHERE until <= ?').bind(now - RENEWAL_MS),
  ])
}

function deleteConfirmationEmails(db: D1Database, condition: string, value: string | number): D1PreparedStatement {
  const signUps = `SELECT user_id FROM sign_ups WHERE ${condition}`
  return db.prepare(`DELETE FROM messages WHERE kind = 'confirm_sign_up' AND user_id IN (${signUps})`).bind(value)
}
