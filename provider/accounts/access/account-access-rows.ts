import type { D1Database } from '@cloudflare/workers-types'
import { createPlanStatements } from '../../billing/plans/plan-rows.ts'
import { createEnrollmentStatement } from '../../search/search-account-rows.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'

/** SQL for the homes of account `?1`: homes that it owns, is a member of, or sees a shared camera of. */
const HOMES_SQL = `SELECT homes.home_id, role, name FROM homes
  LEFT JOIN home_members ON home_members.home_id = homes.home_id AND home_members.user_id = ?1
  WHERE homes.home_id IN (SELECT home_id FROM home_members WHERE user_id = ?1
    UNION SELECT shares.home_id FROM shares JOIN devices USING (device_id, home_id) WHERE shares.user_id = ?1)
  ORDER BY role IS NULL, role, homes.created_at, homes.home_id`

const CAMERAS_SQL = `SELECT devices.device_id, devices.home_id, bridge_id,
    coalesce(home_members.role, shares.role) AS role, home_members.role IS NOT NULL AS member FROM devices
  LEFT JOIN home_members ON home_members.home_id = devices.home_id AND home_members.user_id = ?1
  LEFT JOIN shares ON shares.device_id = devices.device_id AND shares.home_id = devices.home_id AND shares.user_id = ?1
  WHERE devices.home_id IN (SELECT home_id FROM (${HOMES_SQL}))
  AND coalesce(home_members.role, shares.role) IS NOT NULL`

/** Reads the access of an account from D1, in one batch. */
export async function loadAccountAccess(db: D1Database, userId: string): Promise<AccountAccess> {
  const queryResults = await db.batch<unknown>([
    db.prepare(HOMES_SQL).bind(userId),
    db.prepare(CAMERAS_SQL).bind(userId),
    createEnrollmentStatement(db, userId),
    ...createPlanStatements(db, `SELECT home_id FROM (${HOMES_SQL})`, userId),
  ])
  const [homes = [], cameras = [], enrollments = [], subscriptions = [], bindings = []] = queryResults.map(
    ({ results }) => results,
  )
  return {
    userId,
    homes,
    cameras,
    subscriptions,
    bindings,
    isEnrolledInSearch: enrollments.length > 0,
  } as AccountAccess
}
