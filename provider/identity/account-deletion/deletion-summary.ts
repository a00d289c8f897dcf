import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import type { AccountClosing } from '../../billing/ledger/account-closing.ts'
import { getLedgerStub } from '../../billing/ledger/ledger-stub.ts'

export interface DeletionSummary {
  /** Effects of the deletion on plans, refunds and balance. */
  readonly closing: AccountClosing
  /** Number of cameras in homes that only this account owns. */
  readonly cameras: number
  /** Number of homes that this account and another account own. These homes are not deleted. */
  readonly sharedHomes: number
}

const OWNED_HOMES_SQL = `SELECT home_id, EXISTS (SELECT 1 FROM home_members AS other WHERE other.home_id = home_members.home_id
  AND other.role = ${OWNER_ROLE} AND other.user_id <> ?1) AS shared FROM home_members WHERE user_id = ?1 AND role = ${OWNER_ROLE}`

export async function getDeletionSummary(env: Env, userId: string, now: number): Promise<DeletionSummary> {
  const row = await env.DB.prepare(
    `WITH own AS (${OWNED_HOMES_SQL}) SELECT
       (SELECT count(*) FROM devices JOIN own USING (home_id) WHERE shared = 0) AS cameras,
       (SELECT count(*) FROM own WHERE shared = 1) AS sharedHomes`,
  )
    .bind(userId)
    .first<{ cameras: number; sharedHomes: number }>()
  const closing = await getLedgerStub(env, userId).previewClosing(now)
  return { closing, cameras: row?.cameras ?? 0, sharedHomes: row?.sharedHomes ?? 0 }
}
