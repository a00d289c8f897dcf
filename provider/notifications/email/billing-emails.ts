import { inMoney } from '../../../contract/billing/amounts.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { Facts } from './notification-data.ts'
import type { EmailButton, EmailContent, Line } from './email-content.ts'
import { formatDay, formatFullDay, formatMethod, getPlanName } from './email-format.ts'

const SERVICES = '/account/services'
const PAYMENT = '/account/payment'
const PLANS = '/account/products/choose'
const BILLING = '/account/billing'

const MONEY = { lines: [], more: [], small: null, about: 'money' } as const
const toAction = ({ label, to }: EmailButton) => ({ label, path: to })

export function trialEnds({ sku, at }: Facts['trial_ends']): EmailContent {
  const plan = getPlanName(sku)
  const choose = { label: 'Explore plans', to: PLANS }
  return {
    ...MONEY,
    subject: `Your free days of ${plan} end on ${formatDay(at)}`,
    title: `Your free days of ${plan} end on ${formatDay(at)}`,
    text: `They end by themselves on ${formatFullDay(at)}, and nothing is charged. To keep ${plan} after that, choose it before.`,
    lines: [{ label: `${plan}, free days`, hint: `Until ${formatFullDay(at)}`, value: inMoney(0) }],
    buttons: [choose],
    action: toAction(choose),
    small: 'If you do nothing, your cameras go on with what the free plan gives.',
  }
}

/** Returns the same day a month or a year later, or the last day of that month. */
function after(at: number, months: number): number {
  const date = new Date(at)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), last))
}

function planLine({ sku, period, quantity, at }: Facts['renewal_ahead']): Line {
  const times = quantity > 1 ? ` × ${quantity}` : ''
  const end = after(at, period === 'annual' ? 12 : 1)
  return { label: `${getPlanName(sku)}, ${period}${times}`, hint: `${formatFullDay(at)} to ${formatFullDay(end)}` }
}

export function renewalAhead(facts: Facts['renewal_ahead']): EmailContent {
  const { sku, period, at, total } = facts
  const [plan, word] = [getPlanName(sku), period === 'annual' ? 'year' : 'month']
  const see = { label: 'See my plan', to: SERVICES }
  const from = formatMethod(facts)
  return {
    ...MONEY,
    subject: `${plan} renews on ${formatDay(at)} for ${inMoney(total)}`,
    title: `${plan} renews on ${formatDay(at)}`,
    text: `Your ${word} of ${plan} ends on ${formatFullDay(at)}. If you do nothing, it renews for another ${word}, and ${inMoney(total)} is charged from ${from}.`,
    lines: [
      planLine(facts),
      {
        label: `Charged on ${formatFullDay(at)}`,
        hint: `From ${from}, sales tax included.`,
        value: inMoney(total),
        isTotal: true,
      },
    ],
    buttons: [see, { label: 'Cancel or change', to: SERVICES }],
    action: toAction(see),
    small: `If you cancel before ${formatDay(at)}, nothing is charged and it works until then.${
      period === 'annual' ? ' If you cancel later, you get the unused whole months back.' : ''
    }`,
  }
}

export function cardEnds(facts: Facts['card_ends']): EmailContent {
  const { month, year, charge_at } = facts
  const [card, ends] = [formatMethod(facts), `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`]
  const pay = { label: 'Change the card', to: PAYMENT }
  return {
    ...MONEY,
    subject: `${card} ends before your charge on ${formatDay(charge_at)}`,
    title: `${card} ends before your next charge`,
    text: `It ends in ${ends}, and the next charge is on ${formatFullDay(charge_at)}. Replace it before then, and nothing is interrupted.`,
    lines: [
      { label: card, hint: `Ends ${ends}` },
      { label: 'Next charge', value: formatFullDay(charge_at) },
    ],
    buttons: [pay],
    action: toAction(pay),
    small: 'If your bank has sent you a new card already, add that one and make it the default.',
  }
}

const NO_METHOD = 'There is no payment method to charge it to. Add one.'
const DECLINED = 'The payment was declined.'

const toReasonLine = (code: string): Line =>
  code === '' ? { label: NO_METHOD } : { label: findCatalogEntry(code)?.text ?? DECLINED, hint: `Code ${code}` }

export function chargeFailed(facts: Facts['charge_failed']): EmailContent {
  const { sku, total, code, next_try, until } = facts
  const [plan, amount] = [getPlanName(sku), inMoney(total)]
  const pay = { label: 'Pay now', to: SERVICES }
  const again = next_try === null ? 'We do not try again by ourselves.' : `We try again on ${formatFullDay(next_try)}.`
  return {
    ...MONEY,
    subject: `${amount} for ${plan} could not be charged; it works until ${formatDay(until)}`,
    title: `${amount} for ${plan} could not be charged`,
    text: `Nothing was charged and nothing is lost: ${plan} works until ${formatFullDay(until)}. ${again}`,
    lines: [
      { label: plan, ...(code === '' ? {} : { hint: `From ${formatMethod(facts)}` }), value: amount },
      toReasonLine(code),
      ...(next_try === null ? [] : [{ label: 'Next try', value: formatFullDay(next_try) }]),
      { label: 'Ends, if nothing is paid', value: formatFullDay(until) },
    ],
    buttons: [pay, { label: 'Use another method', to: PAYMENT }],
    action: toAction(pay),
  }
}

export function planEnded({ sku, at, deleted_at }: Facts['plan_ended']): EmailContent {
  const plan = getPlanName(sku)
  const back = { label: 'Explore plans', to: PLANS }
  return {
    ...MONEY,
    subject: `${plan} ended on ${formatDay(at)}; its clips are kept until ${formatDay(deleted_at)}`,
    title: `${plan} ended on ${formatDay(at)}`,
    text: `Nothing more is charged for it. Clips that only ${plan} keeps are hidden now and deleted on ${formatFullDay(deleted_at)}; a plan until then brings them back.`,
    lines: [
      { label: `${plan} ended`, value: formatFullDay(at) },
      { label: 'Its clips are deleted', value: formatFullDay(deleted_at) },
    ],
    buttons: [back],
    action: toAction(back),
  }
}

export function refundFailed(facts: Facts['refund_failed']): EmailContent {
  const [plan, amount, method] = [getPlanName(facts.sku), inMoney(facts.total), formatMethod(facts)]
  const see = { label: 'See the credit note', to: `${BILLING}/invoice?bill=${encodeURIComponent(facts.bill)}` }
  return {
    ...MONEY,
    subject: `Your refund of ${amount} was returned by the bank`,
    title: `Your refund of ${amount} was returned by the bank`,
    text: `We tried twice to refund ${amount} for ${plan} to ${method}. The bank returned it, so it is on your balance now. The next bill uses it. To get it in another way, reply to this email.`,
    lines: [
      { label: 'Added to your balance', hint: `${plan}, credit note ${facts.bill}`, value: amount, isTotal: true },
    ],
    buttons: [see],
    action: toAction(see),
  }
}

export function bill(facts: Facts['bill']): EmailContent {
  const { kind, total, sku, at } = facts
  const isCredit = kind === 'credit_note'
  const [plan, amount, name] = [getPlanName(sku), inMoney(Math.abs(total)), isCredit ? 'credit note' : 'bill']
  const see = { label: `See the ${name}`, to: `${BILLING}/invoice?bill=${encodeURIComponent(facts.bill)}` }
  const method = formatMethod(facts)
  const summary = isCredit
    ? `${amount} for ${plan} goes back to ${method}`
    : `${amount} for ${plan} was paid from ${method}`
  return {
    ...MONEY,
    subject: `Your ${name} of ${formatDay(at)}: ${amount} for ${plan}`,
    title: `Your ${name}: ${amount} for ${plan}`,
    text: `${summary} on ${formatFullDay(at)}. The ${name} has the number ${facts.bill}.`,
    lines: [
      { label: plan, hint: `${isCredit ? 'Credit note' : 'Bill'} ${facts.bill}, ${formatFullDay(at)}` },
      {
        label: isCredit ? 'Paid back' : 'Paid',
        hint: `${isCredit ? 'To' : 'From'} ${method}, sales tax included.`,
        value: amount,
        isTotal: true,
      },
    ],
    buttons: [see],
    action: toAction(see),
    small: `All bills of your account stand under Billing at ${BRAND_NAME}, to read and to print.`,
  }
}
