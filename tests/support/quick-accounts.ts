import { randomBytes, scryptSync } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { insertAccount } from '../../provider/accounts/account-rows.ts'

const COST = { N: 16, r: 8, p: 1 }
const LENGTH = 32

/**
 * Returns a hash in the format of `provider/identity/password/hash-password.ts` that takes no time to verify.
 * `tests/provider/identity/account-management.test.ts` covers the real cost.
 */
function quickHash(password: string): string {
  const salt = randomBytes(16)
  const key = scryptSync(password.normalize('NFKC'), salt, LENGTH, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Adds an account without a home, for tests that sign in often and are not about the password. */
export async function addQuickAccount(db: D1Database, email: string, password: string): Promise<void> {
  const userId = `user_${randomBytes(12).toString('hex')}`
  const added = await insertAccount(db, { userId, email, passwordHash: quickHash(password), first: false }, Date.now())
  if (!added) throw new Error(`${email} has an account already.`)
}

export async function quickenDemoAccounts(db: D1Database): Promise<void> {
  await db.prepare('UPDATE accounts SET password_hash = ? WHERE demo = 1').bind(quickHash(DEMO_PASSWORD)).run()
}
