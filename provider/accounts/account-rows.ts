import { randomBytes } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'

export interface AccountRow {
  readonly userId: string
  readonly email: string
  readonly passwordHash: string
  /** 1: demo account, whose password is public. */
  readonly demo: 0 | 1
}

/**
 * Returns true if the account may sign in. Where `DEMO` is off, strangers can reach the provider, and demo accounts may
 * remain from an earlier run.
 */
export const maySignIn = ({ demo }: Pick<AccountRow, 'demo'>, env: { readonly DEMO: string }): boolean =>
  demo === 0 || env.DEMO === '1'

export const createUserId = (): string => `user_${randomBytes(12).toString('hex')}`

const ACCOUNT_COLUMNS = 'user_id AS userId, email, password_hash AS passwordHash, demo'

/**
 * Returns the canonical spelling of an email address: trimmed and in lowercase. Accounts are stored and found by this
 * spelling, and rate limits count attempts by it.
 */
export function canonicalizeEmail(typed: string): string {
  return typed.trim().toLowerCase()
}

export async function findAccountByEmail(db: D1Database, email: string): Promise<AccountRow | null> {
  return await db
    .prepare(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE email = ?`)
    .bind(canonicalizeEmail(email))
    .first<AccountRow>()
}

export async function findAccountById(db: D1Database, userId: string): Promise<AccountRow | null> {
  return await db.prepare(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE user_id = ?`).bind(userId).first<AccountRow>()
}

/** Returns a map from user id to email address. Omits those `ids` that have no account. */
export async function listEmails(db: D1Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { results } = await db
    .prepare('SELECT user_id, email FROM accounts WHERE user_id IN (SELECT value FROM json_each(?))')
    .bind(JSON.stringify([...new Set(ids)]))
    .all<{ user_id: string; email: string }>()
  return new Map(results.map(({ user_id, email }) => [user_id, email]))
}

/** Creates the account unless its email already has one. Returns the id of the new or existing account. */
export async function ensureAccount(
  db: D1Database,
  account: { email: string; passwordHash: string; demo: boolean },
  now: number,
): Promise<string> {
  const email = canonicalizeEmail(account.email)
  await db
    .prepare('INSERT OR IGNORE INTO accounts (user_id, email, password_hash, demo, created_at) VALUES (?, ?, ?, ?, ?)')
    .bind(createUserId(), email, account.passwordHash, account.demo ? 1 : 0, now)
    .run()
  const row = await findAccountByEmail(db, email)
  if (row === null) throw new Error('The account that was just created is missing.')
  return row.userId
}

export async function hasNoAccounts(db: D1Database): Promise<boolean> {
  return (await db.prepare('SELECT 1 AS one FROM accounts LIMIT 1').first()) === null
}

interface NewAccount {
  readonly userId: string
  readonly email: string
  readonly passwordHash: string
  readonly first: boolean
}

/**
 * Adds an account. Returns false if the email already has an account. With `first`, also returns false if any account
 * exists.
 */
export async function insertAccount(db: D1Database, row: NewAccount, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT OR IGNORE INTO accounts (user_id, email, password_hash, demo, created_at)
       SELECT ?1, ?2, ?3, 0, ?4 WHERE ?5 = 0 OR NOT EXISTS (SELECT 1 FROM accounts)`,
    )
    .bind(row.userId, canonicalizeEmail(row.email), row.passwordHash, now, row.first ? 1 : 0)
    .run()
  return meta.changes > 0
}

export async function setPasswordHash(db: D1Database, userId: string, hash: string): Promise<void> {
  await db.prepare('UPDATE accounts SET password_hash = ? WHERE user_id = ?').bind(hash, userId).run()
}

/** Sets the time of the account's last sign-in to `at`, ms UTC. */
export async function recordSignIn(db: D1Database, userId: string, at: number): Promise<void> {
  await db.prepare('UPDATE accounts SET last_sign_in_at = ? WHERE user_id = ?').bind(at, userId).run()
}

export async function deleteAccountRows(db: D1Database, userId: string): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM subscriptions WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM home_members WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM shares WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM messages WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM mail_stops WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM password_links WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM account_settings WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM search_accounts WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM search_history WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId),
  ])
}

/** Returns true if the account is a demo account, to which everyone may sign in. */
export async function isDemoAccount(db: D1Database, userId: string): Promise<boolean> {
  return (await db.prepare('SELECT demo FROM accounts WHERE user_id = ?').bind(userId).first<number>('demo')) === 1
}
