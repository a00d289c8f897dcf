import { randomBytes } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'

export interface AccountRow {
  readonly userId: string
  readonly email: string
  readonly passwordHash: string
}

const COLUMNS = 'user_id AS userId, email, password_hash AS passwordHash'

export async function accountByEmail(db: D1Database, email: string): Promise<AccountRow | null> {
  return await db
    .prepare(`SELECT ${COLUMNS} FROM accounts WHERE email = ?`)
    .bind(email.trim().toLowerCase())
    .first<AccountRow>()
}

export async function accountById(db: D1Database, userId: string): Promise<AccountRow | null> {
  return await db.prepare(`SELECT ${COLUMNS} FROM accounts WHERE user_id = ?`).bind(userId).first<AccountRow>()
}

/** Creates the account unless its address has one already; answers the id of the one that is there afterwards. */
export async function ensureAccount(
  db: D1Database,
  account: { email: string; passwordHash: string; demo: boolean },
  now: number,
): Promise<string> {
  const email = account.email.trim().toLowerCase()
  await db
    .prepare('INSERT OR IGNORE INTO accounts (user_id, email, password_hash, demo, created_at) VALUES (?, ?, ?, ?, ?)')
    .bind(`user_${randomBytes(12).toString('hex')}`, email, account.passwordHash, account.demo ? 1 : 0, now)
    .run()
  const row = await accountByEmail(db, email)
  if (row === null) throw new Error('An account that was just created is missing.')
  return row.userId
}
