import { randomBytes, scryptSync } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import { insertAccount } from '../../provider/accounts/account-rows.ts'

const SCRYPT_COST = { N: 16, r: 8, p: 1 }
const HASH_BYTES = 32

/**
 * Returns a hash in the format of `provider/identity/password/hash-password.ts` that is fast to verify.
 * `tests/provider/identity/account-management.test.ts` covers the real cost.
 */
function hashPasswordCheaply(password: string): string {
  const salt = randomBytes(16)
  const key = scryptSync(password.normalize('NFKC'), salt, HASH_BYTES, SCRYPT_COST)
  return [
    'scrypt',
    SCRYPT_COST.N,
    SCRYPT_COST.r,
    SCRYPT_COST.p,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$')
}

/** Adds an account without a home and with a cheap password hash, for tests that sign in often. */
export async function addQuickAccount(db: D1Database, email: string, password: string): Promise<void> {
  const userId = `user_${randomBytes(12).toString('hex')}`
  const added = await insertAccount(
    db,
    { userId, email, passwordHash: hashPasswordCheaply(password), first: false },
    Date.now(),
  )
  if (!added) throw new Error(`${email} already has an account.`)
}

export async function setCheapDemoPasswords(db: D1Database): Promise<void> {
  await db
    .prepare('UPDATE accounts SET password_hash = ? WHERE demo = 1')
    .bind(hashPasswordCheaply(DEMO_PASSWORD))
    .run()
}
