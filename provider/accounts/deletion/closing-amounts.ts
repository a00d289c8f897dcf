import { formatMoney } from '../../../contract/billing/amounts.ts'
import type { ClosedPlan, AccountClosing } from '../../billing/ledger/account-closing.ts'
import { formatFullDay, getPlanName } from '../../notifications/email/email-format.ts'

const listFormat = new Intl.ListFormat('en-GB')
const REFUND_TARGET = 'to the payment method that was charged'

function formatPlanSentence({ sku, way, ends_at, to_method }: ClosedPlan): string {
  const name = getPlanName(sku)
  const refund = to_method > 0 ? `${formatMoney(to_method)} is refunded ${REFUND_TARGET}` : ''
  if (way === 'now') return refund === '' ? `${name} ends at once.` : `${name} ends at once. ${refund}.`
  const until = `${name} works until ${formatFullDay(ends_at)}`
  return refund === '' ? `${until}, because that is paid. Nothing of it is refunded.` : `${until}. Then ${refund}.`
}

/** Returns sentences that say what happens to each plan when the account is deleted. */
export function formatPlanSentences({ plans, waiting, free, elsewhere }: AccountClosing): string[] {
  if (plans.length + waiting.length + free.length + elsewhere.length === 0)
    return ['You have no plan, so nothing is charged.']
  const names = (skus: AccountClosing['free']) => listFormat.format(skus.map(getPlanName))
  return [
    ...plans.map(formatPlanSentence),
    ...(waiting.length > 0 ? [`A charge is under way. ${names(waiting)} will end when it is through.`] : []),
    ...(free.length > 0 ? [`${names(free)} ${free.length === 1 ? 'costs' : 'cost'} nothing.`] : []),
    ...(elsewhere.length > 0 ? [`Cancel ${names(elsewhere)} where you bought it: we cannot.`] : []),
    ...(plans.length > 0 ? ['Nothing more is charged here.'] : []),
  ]
}

/** Returns the sentences about the refunded and the lapsed part of the balance; '' if both parts are 0. */
export function formatBalanceSentence({ from_balance, lapses }: AccountClosing): string {
  const parts = [
    ...(from_balance > 0 ? [`${formatMoney(from_balance)} of your balance is refunded ${REFUND_TARGET}.`] : []),
    ...(lapses > 0 ? [`${formatMoney(lapses)} of promotional credit lapses.`] : []),
  ]
  return parts.join(' ')
}
