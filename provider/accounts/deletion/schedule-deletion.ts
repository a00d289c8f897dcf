import { LEAVE_DAYS } from '../../../contract/account/account-deletion.ts'
import type { Env } from '../../env.ts'
import type { Closing } from '../../billing/ledger/account-closing.ts'
import { ledgerStub } from '../../billing/ledger/ledger-stub.ts'
import { formatFullDay } from '../../notifications/email/email-format.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import { balanceSentence, planSentences } from './closing-amounts.ts'
import { leaveAt, leaveNow, cancelAccountDeletion } from './deletion-date-rows.ts'
import type { DeletedAccount } from './delete-account-data.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Delay before the object checks again plans that could not be canceled because of a pending charge. */
const RETRY_MS = 60_000

const getDeletionObject = (env: Env, userId: string) => env.LEAVES.getByName(userId)

/** Schedules the deletion and returns its date, ms UTC. Idempotent. */
export async function scheduleDeletion(env: Env, leaver: DeletedAccount, now: number): Promise<number> {
  // Sets the object's alarm first: if a later step is interrupted, the object still checks the account's row.
  await getDeletionObject(env, leaver.userId).await(leaver, now + RETRY_MS)
  const until = await leaveAt(env.DB, leaver.userId, now + LEAVE_DAYS * DAY_MS)
  const ledger = ledgerStub(env, leaver.userId)
  const closing = await ledger.closing(now)
  await ledger.leaveAll(now)
  await notifyDeletion(env, leaver, { until, closing }, now)
  return until
}

/**
 * Cancels the deletion; returns false if none was scheduled or its date has come. The Durable Object detects the
 * cancellation at its next alarm.
 */
export const undoLeave = (env: Env, userId: string, now: number): Promise<boolean> =>
  cancelAccountDeletion(env.DB, userId, now)

export async function removeNow(env: Env, leaver: DeletedAccount, now: number): Promise<void> {
  await leaveNow(env.DB, leaver.userId, now)
  await getDeletionObject(env, leaver.userId).remove(leaver, now)
}

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
