import { randomBytes, scryptSync } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { insertAccount } from '../../provider/accounts/account-rows.ts'

const COST = { N: 16, r: 8, p: 1 }
const LENGTH = 32

/** A hash as provider/identity/password/hash-password.ts keeps it, of a cost that checking it takes no time. Real costs: tests/provider/accounts.test.ts. */
function quickHash(password: string): string {
  const salt = randomBytes(16)
  const key = scryptSync(password.normalize('NFKC'), salt, LENGTH, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** An account without a home, for tests that sign in often and whose subject is not the password. */
export async function addQuickAccount(db: D1Database, email: string, password: string): Promise<void> {
  const userId = `user_${randomBytes(12).toString('hex')}`
  const added = await insertAccount(db, { userId, email, passwordHash: quickHash(password), first: false }, Date.now())
  if (!added) throw new Error(`${email} has an account already.`)
}

/** The demo accounts from now on. */
export async function quickenDemoAccounts(db: D1Database): Promise<void> {
  await db.prepare('UPDATE accounts SET password_hash = ? WHERE demo = 1').bind(quickHash(DEMO_PASSWORD)).run()
}
