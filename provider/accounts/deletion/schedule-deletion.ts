import { LEAVE_DAYS } from '../../../contract/account/account-deletion.ts'
import type { Env } from '../../env.ts'
import type { Closing } from '../../billing/ledger/account-closing.ts'
import { ledgerStub } from '../../billing/ledger/ledger-stub.ts'
import { formatFullDay } from '../../notifications/email/email-format.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import { balanceSentence, planSentences } from './closing-amounts.ts'
import { leaveAt, leaveNow, cancelAccountDeletion } from './deletion-date-rows.ts'
import type { DeletedAccount } from './delete-account-data.ts'

const DAY_MS = 86_400_000
/** Plans that a charge under way keeps from ending are looked at again so soon. */
const RETRY_MS = 60_000

const getDeletionObject = (env: Env, userId: string) => env.LEAVES.getByName(userId)

/** Begins the days after which the account goes: when that is, ms UTC. Doing it again changes nothing. */
export async function scheduleDeletion(env: Env, leaver: DeletedAccount, now: number): Promise<number> {
  // Awaited first: whatever ends this in between, somebody looks at what the row says.
  await getDeletionObject(env, leaver.userId).await(leaver, now + RETRY_MS)
  const until = await leaveAt(env.DB, leaver.userId, now + LEAVE_DAYS * DAY_MS)
  const ledger = ledgerStub(env, leaver.userId)
  const closing = await ledger.closing(now)
  await ledger.leaveAll(now)
  await notifyDeletion(env, leaver, { until, closing }, now)
  return until
}

/** Takes it back; false when the account is to stay, or its time has come. Its object finds that out by itself. */
export const undoLeave = (env: Env, userId: string, now: number): Promise<boolean> =>
  cancelAccountDeletion(env.DB, userId, now)

/** Removes the account now, by the same rules. */
export async function removeNow(env: Env, leaver: DeletedAccount, now: number): Promise<void> {
  await leaveNow(env.DB, leaver.userId, now)
  await getDeletionObject(env, leaver.userId).remove(leaver, now)
}

/** Says so by message and mail. */
async function notifyDeletion(
  env: Env,
  { userId }: DeletedAccount,
  { until, closing }: { readonly until: number; readonly closing: Closing },
  now: number,
): Promise<void> {
  const balance = balanceSentence(closing)
  const money = [...planSentences(closing), ...(balance === '' ? [] : [`On ${formatFullDay(until)}: ${balance}`])]
  await notifyAccount(env, { userId, kind: 'account_leaves', key: String(until), facts: { until, money }, at: now })
}
