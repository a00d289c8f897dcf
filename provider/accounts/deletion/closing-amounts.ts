import { formatMoney } from '../../../contract/billing/amounts.ts'
import type { ClosedPlan, AccountClosing } from '../../billing/ledger/account-closing.ts'
import { formatFullDay, getPlanName } from '../../notifications/email/email-format.ts'

const listFormat = new Intl.ListFormat('en-US')
const REFUND_TARGET = 'to your original payment method'

function formatPlanSentence({ sku, way, ends_at, to_method }: ClosedPlan): string {
  const name = getPlanName(sku)
  const refund = to_method > 0 ? `${formatMoney(to_method)} will be refunded ${REFUND_TARGET}` : ''
  if (way === 'now') return refund === '' ? `${name} ends immediately.` : `${name} ends immediately. ${refund}.`
  const until = `${name} stays active until ${formatFullDay(ends_at)}`
  return refund === '' ? `${until}, because it’s already paid for. There’s no refund.` : `${until}. Then ${refund}.`
}

/** Returns sentences that say what happens to each plan when the account is deleted. */
export function formatPlanSentences({ plans, waiting, free, elsewhere }: AccountClosing): string[] {
  if (plans.length + waiting.length + free.length + elsewhere.length === 0)
    return ['You don’t have a plan, so you won’t be charged.']
  const names = (skus: AccountClosing['free']) => listFormat.format(skus.map(getPlanName))
  return [
    ...plans.map(formatPlanSentence),
    ...(waiting.length > 0 ? [`A charge is in progress. ${names(waiting)} will end once the charge completes.`] : []),
    ...(free.length > 0 ? [`Your free access to ${names(free)} ends automatically.`] : []),
    ...(elsewhere.length > 0
      ? [`Cancel ${names(elsewhere)} through the store that charges you. We can’t do that for you.`]
      : []),
    ...(plans.length > 0 ? ['We won’t charge you again.'] : []),
  ]
}

/** Returns the sentences about the refunded and the lapsed part of the balance; '' if both parts are 0. */
export function formatBalanceSentence({ from_balance, lapses }: AccountClosing): string {
  const parts = [
    ...(from_balance > 0 ? [`${formatMoney(from_balance)} of your balance will be refunded ${REFUND_TARGET}.`] : []),
    ...(lapses > 0 ? [`${formatMoney(lapses)} of promotional credit will expire.`] : []),
  ]
  return parts.join(' ')
}
