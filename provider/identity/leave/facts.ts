import type { D1Database } from '@cloudflare/workers-types'
import { OWNER } from '../../../contract/roles.ts'

/** What a person is told before the account goes. */
export interface LeaveFacts {
  /** SKUs of the plans that run. */
  readonly plans: readonly string[]
  /** Cameras of homes that nobody else owns. */
  readonly cameras: number
  /** Homes that somebody else owns too: they stay. */
  readonly sharedHomes: number
}

const HOMES = `SELECT home_id, EXISTS (SELECT 1 FROM home_members AS other WHERE other.home_id = home_members.home_id
  AND other.role = ${OWNER} AND other.user_id <> ?1) AS shared FROM home_members WHERE user_id = ?1 AND role = ${OWNER}`

export async function leaveFactsOf(db: D1Database, userId: string, now: number): Promise<LeaveFacts> {
  const row = await db
    .prepare(
      `WITH own AS (${HOMES}) SELECT
         (SELECT json_group_array(DISTINCT sku) FROM subscriptions WHERE user_id = ?1 AND sku <> 'free' AND renews_at > ?2)
           AS plans,
         (SELECT count(*) FROM devices JOIN own USING (home_id) WHERE shared = 0) AS cameras,
         (SELECT count(*) FROM own WHERE shared = 1) AS sharedHomes`,
    )
    .bind(userId, now)
    .first<{ plans: string; cameras: number; sharedHomes: number }>()
  const { plans, cameras, sharedHomes } = row ?? { plans: '[]', cameras: 0, sharedHomes: 0 }
  return { plans: JSON.parse(plans) as string[], cameras, sharedHomes }
}
