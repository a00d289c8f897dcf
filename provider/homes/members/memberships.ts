import type { Env } from '../../env.ts'

export interface Membership {
  home_id: string
  /** Role in the home (contract/auth/roles.ts). */
  role: number
  name: string
}

/** Lists the homes that the account owns or is a member of. Homes that it owns come first. */
export async function listHomes(env: Env, userId: string): Promise<Membership[]> {
  const { results } = await env.DB.prepare(
    `SELECT home_id, role, name FROM home_members JOIN homes USING (home_id)
     WHERE user_id = ? ORDER BY role, created_at, home_id`,
  )
    .bind(userId)
    .all<Membership>()
  return results
}

export interface AccessibleHome {
  home_id: string
  /** Role of the account in the home; null if it only sees shared cameras. */
  role: number | null
}

/** SQL for the homes of account `?1`: homes that it owns, is a member of, or sees a shared camera of. */
export const ACCESSIBLE_HOMES_SQL = `SELECT homes.home_id, role FROM homes
  LEFT JOIN home_members ON home_members.home_id = homes.home_id AND home_members.user_id = ?1
  WHERE homes.home_id IN (SELECT home_id FROM home_members WHERE user_id = ?1
    UNION SELECT shares.home_id FROM shares JOIN devices USING (device_id, home_id) WHERE shares.user_id = ?1)
  ORDER BY role IS NULL, role, homes.created_at, homes.home_id`

/** Lists the homes that the account may see, its own first. Includes homes of shared cameras. */
export async function listVisibleHomes(env: Env, userId: string): Promise<AccessibleHome[]> {
  return (await env.DB.prepare(ACCESSIBLE_HOMES_SQL).bind(userId).all<AccessibleHome>()).results
}
