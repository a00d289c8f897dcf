import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import type { Closing } from '../../billing/ledger/account-closing.ts'
import { ledgerStub } from '../../billing/ledger/ledger-stub.ts'

export interface LeaveFacts {
  /** Refunds, and end dates of plans. */
  readonly closing: Closing
  /** Cameras in homes without another owner. */
  readonly cameras: number
  /** Homes with another owner: they stay. */
  readonly sharedHomes: number
}

const HOMES = `SELECT home_id, EXISTS (SELECT 1 FROM home_members AS other WHERE other.home_id = home_members.home_id
  AND other.role = ${OWNER} AND other.user_id <> ?1) AS shared FROM home_members WHERE user_id = ?1 AND role = ${OWNER}`

export async function getDeletionSummary(env: Env, userId: string, now: number): Promise<LeaveFacts> {
  const row = await env.DB.prepare(
    `WITH own AS (${HOMES}) SELECT
       (SELECT count(*) FROM devices JOIN own USING (home_id) WHERE shared = 0) AS cameras,
       (SELECT count(*) FROM own WHERE shared = 1) AS sharedHomes`,
  )
    .bind(userId)
    .first<{ cameras: number; sharedHomes: number }>()
  const closing = await ledgerStub(env, userId).closing(now)
  return { closing, cameras: row?.cameras ?? 0, sharedHomes: row?.sharedHomes ?? 0 }
}
