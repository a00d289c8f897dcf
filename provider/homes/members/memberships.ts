import type { Env } from '../../env.ts'
import { readAccountAccess, type AccessibleHome } from './account-access.ts'

export interface Membership {
  home_id: string
  /** Role in the home (contract/auth/roles.ts). */
  role: number
  name: string
}

/** Lists the homes that the account owns or is a member of. Homes that it owns come first. */
export async function listHomes(env: Env, userId: string): Promise<Membership[]> {
  const { homes } = await readAccountAccess(env, userId)
  return homes.flatMap(({ home_id, role, name }) => (role === null ? [] : { home_id, role, name }))
}

/** Lists the homes that the account may see, its own first. Includes homes of shared cameras. */
export async function listVisibleHomes(env: Env, userId: string): Promise<AccessibleHome[]> {
  const { homes } = await readAccountAccess(env, userId)
  return homes.map(({ home_id, role }) => ({ home_id, role }))
}
