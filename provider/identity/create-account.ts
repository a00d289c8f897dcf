import { randomBytes } from 'node:crypto'
import { assignIdleBridges } from '../bridge/enroll-bridge.ts'
import type { Env } from '../env.ts'
import { createHome } from '../homes/members/create-home.ts'
import { deleteAccount, insertAccount } from '../accounts/account-rows.ts'
import { acceptInvitations } from '../homes/members/shares.ts'
import { hashPassword } from './password/hash-password.ts'

const HOME_NAME = 'Home'

interface NewAccount {
  readonly email: string
  readonly password: string
  /** Name of its home, or the id of one that is there. */
  readonly home?: string | undefined
  /** Whether it may only be made while there is no other. */
  readonly first: boolean
}

/** Makes an account and its home; answers its id, or null when the address is taken (or, for the first one, when there is another). */
export async function openAccount(env: Env, account: NewAccount, now: number): Promise<string | null> {
  const { email, password, home, first } = account
  const userId = `user_${randomBytes(12).toString('hex')}`
  const passwordHash = await hashPassword(password)
  if (!(await insertAccount(env.DB, { userId, email, passwordHash, first }, now))) return null
  try {
    await settle(env, userId, home ?? HOME_NAME, now)
    await acceptInvitations(env, userId, email, now)
  } catch (error) {
    // An account without a home could not be made again.
    await deleteAccount(env.DB, userId)
    throw error
  }
  return userId
}

async function settle(env: Env, userId: string, home: string, now: number): Promise<void> {
  const existingHome = await env.DB.prepare('SELECT name, demo FROM homes WHERE home_id = ?')
    .bind(home)
    .first<{ name: string; demo: number }>()
  const homeId = existingHome ? home : `home_${randomBytes(9).toString('hex')}`
  await createHome(
    env,
    { homeId, name: existingHome?.name ?? home, ownerUserId: userId, demo: existingHome?.demo === 1 },
    now,
  )
  await assignIdleBridges(env, homeId)
}
