import { ACCOUNT_DELETION_DAYS } from '../../../contract/account/account-deletion.ts'
import type { Env } from '../../env.ts'
import type { AccountClosing } from '../../billing/ledger/account-closing.ts'
import { getLedgerStub } from '../../billing/ledger/ledger-stub.ts'
import { formatFullDay } from '../../notifications/email/email-format.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import { formatBalanceSentence, formatPlanSentences } from './closing-amounts.ts'
import { scheduleDeletionDate, setDeletionDateToNow, cancelAccountDeletion } from './deletion-date-rows.ts'
import type { DeletedAccount } from './delete-account-data.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { getObject } from '../../platform/objects.ts'

/**
 * Delay before the account's deletion object first checks the account. The check also cancels plans that could not be
 * canceled while a charge was pending.
 */
const FIRST_CHECK_DELAY_MS = 60_000

const getDeletionObject = (env: Env, userId: string) => getObject(env, 'LEAVES', userId)

/**
 * Schedules the deletion, cancels the plans and notifies the account. Returns the deletion date, ms UTC. Idempotent.
 */
export async function scheduleDeletion(env: Env, deletedAccount: DeletedAccount, now: number): Promise<number> {
  // Sets the object's alarm first: if a later step is interrupted, the object still checks the account's row.
  await getDeletionObject(env, deletedAccount.userId).scheduleCheck(deletedAccount, now + FIRST_CHECK_DELAY_MS)
  const until = await scheduleDeletionDate(env.DB, deletedAccount.userId, now + ACCOUNT_DELETION_DAYS * DAY_MS)
  const ledger = getLedgerStub(env, deletedAccount.userId)
  const closing = await ledger.previewClosing(now)
  await ledger.cancelAllSubscriptions(now)
  await notifyDeletion(env, deletedAccount, { until, closing }, now)
  return until
}

/**
 * Cancels the deletion; returns false if none was scheduled or its date has passed. The Durable Object detects the
 * cancellation at its next alarm.
 */
export const cancelDeletion = (env: Env, userId: string, now: number): Promise<boolean> =>
  cancelAccountDeletion(env.DB, userId, now)

export async function deleteAccountNow(env: Env, deletedAccount: DeletedAccount, now: number): Promise<void> {
  await setDeletionDateToNow(env.DB, deletedAccount.userId, now)
  await getDeletionObject(env, deletedAccount.userId).remove(deletedAccount, now)
}

async function notifyDeletion(
  env: Env,
  { userId }: DeletedAccount,
  { until, closing }: { readonly until: number; readonly closing: AccountClosing },
  now: number,
): Promise<void> {
  const balance = formatBalanceSentence(closing)
  const money = [...formatPlanSentences(closing), ...(balance === '' ? [] : [`On ${formatFullDay(until)}, ${balance}`])]
  await notifyAccount(env, { userId, kind: 'account_leaves', key: String(until), facts: { until, money }, at: now })
}
