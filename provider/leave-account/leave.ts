import { LEAVE_DAYS } from '../../contract/leave-account.ts'
import type { Env } from '../env.ts'
import { ledgerOf } from '../ledger/refusal.ts'
import { tell } from '../messages/tell.ts'
import { leaveAt, leaveNow, stay } from './leaves-at.ts'
import type { Leaver } from './removal.ts'

const DAY_MS = 86_400_000
/** Plans that a charge under way keeps from ending are looked at again so soon. */
const RETRY_MS = 60_000

const objectOf = (env: Env, userId: string) => env.LEAVES.getByName(userId)

/** Begins the days after which the account goes: when that is, ms UTC. Doing it again changes nothing. */
export async function beginLeave(env: Env, leaver: Leaver, now: number): Promise<number> {
  // Awaited first: whatever ends this in between, somebody looks at what the row says.
  await objectOf(env, leaver.userId).await(leaver, now + RETRY_MS)
  const until = await leaveAt(env.DB, leaver.userId, now + LEAVE_DAYS * DAY_MS)
  await endPlans(env, leaver.userId, now)
  await tellLeave(env, leaver, until, now)
  return until
}

/** Takes it back; false when the account is to stay, or its time has come. Its object finds that out by itself. */
export const undoLeave = (env: Env, userId: string, now: number): Promise<boolean> => stay(env.DB, userId, now)

/** Removes the account now, by the same rules. */
export async function removeNow(env: Env, leaver: Leaver, now: number): Promise<void> {
  await leaveNow(env.DB, leaver.userId, now)
  await objectOf(env, leaver.userId).remove(leaver, now)
}

/** Leaves every plan that renews, each in the way that is best for the person. */
async function endPlans(env: Env, userId: string, now: number): Promise<void> {
  await ledgerOf(env, userId).leaveAll(now)
}

/** Says so by message and mail. */
async function tellLeave(env: Env, { userId }: Leaver, until: number, now: number): Promise<void> {
  await tell(env, { userId, kind: 'account_leaves', key: String(until), facts: { until }, at: now })
}
