import { randomBytes } from 'node:crypto'
import { assignHomeToUnassignedBridges } from '../bridge/enroll-bridge.ts'
import type { Env } from '../env.ts'
import { createHome } from '../homes/members/create-home.ts'
import { createUserId, deleteAccountRows, insertAccount } from '../accounts/account-rows.ts'
import { changeAccess } from '../platform/auth/change-access.ts'
import { acceptInvitations } from '../homes/members/shares.ts'

const HOME_NAME = 'Home'

interface NewAccount {
  readonly userId?: string
  readonly email: string
  readonly passwordHash: string
  /** Name of the new home, or id of an existing home. */
  readonly home?: string | undefined
  /** True to create the account only if no account exists. */
  readonly first: boolean
  /** True if a visitor creates the account. A bridge without a home may be in another house. */
  readonly isSelfService?: boolean
}

/**
 * Creates an account, makes it an owner of a new or existing home, and accepts its invitations. Returns the user id.
 * Returns null if the email is taken, or if `first` is true and any account exists.
 */
export async function createAccount(env: Env, account: NewAccount, now: number): Promise<string | null> {
  const { userId = createUserId(), email, passwordHash, home, first, isSelfService = false } = account
  if (!(await insertAccount(env.DB, { userId, email, passwordHash, first }, now))) return null
  try {
    const homeId = await assignHome(env, userId, home ?? HOME_NAME, now)
    if (!isSelfService) await assignHomeToUnassignedBridges(env, homeId)
    await acceptInvitations(env, userId, email, now)
  } catch (error) {
    // Delete the account, because without a home it is unusable and blocks its email address.
    await changeAccess(env, [userId], () => deleteAccountRows(env.DB, userId))
    throw error
  }
  return userId
}

async function assignHome(env: Env, userId: string, homeNameOrId: string, now: number): Promise<string> {
  const existingHome = await env.DB.prepare('SELECT name, demo FROM homes WHERE home_id = ?')
    .bind(homeNameOrId)
    .first<{ name: string; demo: number }>()
  const homeId = existingHome ? homeNameOrId : `home_${randomBytes(9).toString('hex')}`
  await createHome(
    env,
    { homeId, name: existingHome?.name ?? homeNameOrId, ownerUserId: userId, demo: existingHome?.demo === 1 },
    now,
  )
  return homeId
}
