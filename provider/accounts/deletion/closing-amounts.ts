import { inMoney } from '../../../contract/billing/amounts.ts'
import type { ClosedPlan, Closing } from '../../billing/ledger/account-closing.ts'
import { formatFullDay, getPlanName } from '../../notifications/email/email-format.ts'

const listed = new Intl.ListFormat('en-GB')
const WHERE = 'to the payment method that was charged'

function planSentence({ sku, way, ends_at, to_method }: ClosedPlan): string {
  const name = getPlanName(sku)
  const refund = to_method > 0 ? `${inMoney(to_method)} is refunded ${WHERE}` : ''
  if (way === 'now') return refund === '' ? `${name} ends at once.` : `${name} ends at once. ${refund}.`
  const until = `${name} works until ${formatFullDay(ends_at)}`
  return refund === '' ? `${until}, because that is paid. Nothing of it is refunded.` : `${until}. Then ${refund}.`
}

/** Returns sentences about the plans of an account that is deleted. */
export function planSentences({ plans, waiting, free, elsewhere }: Closing): string[] {
  if (plans.length + waiting.length + free.length + elsewhere.length === 0)
    return ['You have no plan, so nothing is charged.']
  const names = (skus: Closing['free']) => listed.format(skus.map(getPlanName))
  return [
    ...plans.map(planSentence),
    ...(waiting.length > 0 ? [`A charge is under way. ${names(waiting)} will end when it is through.`] : []),
    ...(free.length > 0 ? [`${names(free)} ${free.length === 1 ? 'costs' : 'cost'} nothing.`] : []),
    ...(elsewhere.length > 0 ? [`Cancel ${names(elsewhere)} where you bought it: we cannot.`] : []),
    ...(plans.length > 0 ? ['Nothing more is charged here.'] : []),
  ]
}

/** Returns a sentence about the balance on the day the account is deleted; '' without a balance. */
export function balanceSentence({ from_balance, lapses }: Closing): string {
  const parts = [
    ...(from_balance > 0 ? [`${inMoney(from_balance)} of your balance is refunded ${WHERE}.`] : []),
    ...(lapses > 0 ? [`${inMoney(lapses)} of promotional credit lapses.`] : []),
  ]
  return parts.join(' ')
}
