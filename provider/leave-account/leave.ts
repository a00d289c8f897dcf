import { LEAVE_DAYS } from '../../contract/leave-account.ts'
import type { Env } from '../env.ts'
import type { Closing } from '../ledger/closing.ts'
import { ledgerOf } from '../ledger/refusal.ts'
import { fullDayOf } from '../mail/words.ts'
import { tell } from '../messages/tell.ts'
import { balanceSentence, planSentences } from './closing-words.ts'
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
  const ledger = ledgerOf(env, leaver.userId)
  const closing = await ledger.closing(now)
  await ledger.leaveAll(now)
  await tellLeave(env, leaver, { until, closing }, now)
  return until
}

/** Takes it back; false when the account is to stay, or its time has come. Its object finds that out by itself. */
export const undoLeave = (env: Env, userId: string, now: number): Promise<boolean> => stay(env.DB, userId, now)

/** Removes the account now, by the same rules. */
export async function removeNow(env: Env, leaver: Leaver, now: number): Promise<void> {
  await leaveNow(env.DB, leaver.userId, now)
  await objectOf(env, leaver.userId).remove(leaver, now)
}

/** Says so by message and mail. */
async function tellLeave(
  env: Env,
  { userId }: Leaver,
  { until, closing }: { readonly until: number; readonly closing: Closing },
  now: number,
): Promise<void> {
  const balance = balanceSentence(closing)
  const money = [...planSentences(closing), ...(balance === '' ? [] : [`On ${fullDayOf(until)}: ${balance}`])]
  await tell(env, { userId, kind: 'account_leaves', key: String(until), facts: { until, money }, at: now })
}
