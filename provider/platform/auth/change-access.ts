import type { D1PreparedStatement, D1Result } from '@cloudflare/workers-types'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { getObject } from '../objects.ts'

/** Accounts whose rights a change affects: their ids, or a statement that selects their `user_id`. */
type AffectedAccounts = readonly string[] | D1PreparedStatement

/**
 * Runs `write`, which changes rights in D1, so that no affected account uses rights from before the change afterwards
 * (docs/decisions/0107). If `write` fails, its effect is unknown: these accounts then read D1 until the change expires.
 */
export async function changeAccess<T>(
  env: Env,
  affected: AffectedAccounts,
  write: (affectedDuringWrite: string[]) => Promise<T>,
): Promise<T> {
  const changeId = crypto.randomUUID()
  const before = await listAccounts(affected)
  await Promise.all(before.map((id) => getObject(env, 'GUARDS', id).startChange(changeId)))
  const duringWrite: string[] = []
  const result = await write(duringWrite)
  // Includes accounts that gained rights since `before` was read, for example a guest of a new share.
  const after = await listAccounts(affected)
  await Promise.all(
    [...new Set([...before, ...duringWrite, ...after])].map((id) => getObject(env, 'GUARDS', id).endChange(changeId)),
  )
  return result
}

/**
 * Runs `statements` like `changeAccess`, for writes that end rights of accounts that only D1 knows. Lists the affected
 * accounts again in the transaction of the write: an account can gain and cache a right after the change has started,
 * and the write then removes the row that names this account.
 */
export const changeAccessInBatch = (
  env: Env,
  affected: D1PreparedStatement,
  statements: readonly D1PreparedStatement[],
): Promise<D1Result[]> =>
  changeAccess(env, affected, async (affectedDuringWrite) => {
    const [accounts, ...results] = await env.DB.batch<{ user_id: string }>([affected, ...statements])
    affectedDuringWrite.push(...(accounts?.results ?? []).map(({ user_id }) => user_id))
    return results
  })

async function listAccounts(affected: AffectedAccounts): Promise<string[]> {
  if (!('bind' in affected)) return [...affected]
  return (await affected.all<{ user_id: string }>()).results.map(({ user_id }) => user_id)
}

const selectHomeAccounts = (homeIdsSql: string) =>
  `SELECT user_id FROM home_members WHERE home_id IN (${homeIdsSql})
   UNION SELECT user_id FROM shares WHERE home_id IN (${homeIdsSql})`

/** Returns a statement that selects the owners, members and guests of a home. */
export const selectAccountsOfHome = ({ DB }: Env, homeId: string): D1PreparedStatement =>
  DB.prepare(selectHomeAccounts('?1')).bind(homeId)

/** Returns a statement that selects an account, and the owners, members and guests of the homes that it owns. */
export const selectAccountsOfOwner = ({ DB }: Env, userId: string): D1PreparedStatement =>
  DB.prepare(
    `${selectHomeAccounts(`SELECT home_id FROM home_members WHERE user_id = ?1 AND role = ${OWNER_ROLE}`)}
     UNION SELECT ?1`,
  ).bind(userId)
