import type { Env } from '../env.ts'

export interface Membership {
  home_id: string
  /** 1 owner, 2 member. */
  role: number
  name: string
}

/** Homes of the account, its own first. */
export async function homesOf(env: Env, userId: string): Promise<Membership[]> {
  const { results } = await env.DB.prepare(
    `SELECT home_id, role, name FROM home_members JOIN homes USING (home_id)
     WHERE user_id = ? ORDER BY role, created_at, home_id`,
  )
    .bind(userId)
    .all<Membership>()
  return results
}

export interface DevicePlace {
  device_id: string
  home_id: string
  bridge_id: string
  /** The account's role in the camera's home; null when it is not a member. */
  role: number | null
}

/** Where these cameras belong and what the account is there; unknown ids are left out. */
export async function placesOf(env: Env, userId: string, deviceIds: readonly string[]): Promise<DevicePlace[]> {
  const { results } = await env.DB.prepare(
    `SELECT device_id, devices.home_id, bridge_id, role FROM devices
     LEFT JOIN home_members ON home_members.home_id = devices.home_id AND user_id = ?1
     WHERE device_id IN (SELECT value FROM json_each(?2))`,
  )
    .bind(userId, JSON.stringify(deviceIds))
    .all<DevicePlace>()
  return results
}

export const homeStub = (env: Env, homeId: string) => env.HOMES.getByName(homeId)
