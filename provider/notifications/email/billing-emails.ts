import { formatMoney } from '../../../contract/billing/amounts.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { NotificationFacts } from './notification-data.ts'
import type { EmailButton, EmailContent, SummaryLine } from './email-content.ts'
import { formatDay, formatFullDay, formatMethod, getPlanName } from './email-format.ts'

const SERVICES_PATH = '/account/services'
const PAYMENT_PATH = '/account/payment'
const PLANS_PATH = '/account/products/choose'
const BILLING_PATH = '/account/billing'

const BILLING_EMAIL_DEFAULTS = { lines: [], more: [], small: null, about: 'money' } as const
const toAction = ({ label, to }: EmailButton) => ({ label, path: to })

export function buildTrialEndsEmail({ sku, at }: NotificationFacts['trial_ends']): EmailContent {
  const plan = getPlanName(sku)
  const plansButton = { label: 'Explore plans', to: PLANS_PATH }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `Your free days of ${plan} end on ${formatDay(at)}`,
    title: `Your free days of ${plan} end on ${formatDay(at)}`,
    text: `They end by themselves on ${formatFullDay(at)}, and nothing is charged. To keep ${plan} after that, choose it before.`,
    lines: [{ label: `${plan}, free days`, hint: `Until ${formatFullDay(at)}`, value: formatMoney(0) }],
    buttons: [plansButton],
    action: toAction(plansButton),
    small: 'If you do nothing, your cameras go on with what the free plan gives.',
  }
}

/** Returns the same day of the month `months` later. In a shorter month, returns its last day. Times in ms UTC. */
function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), last))
}

function toPlanLine({ sku, period, quantity, at }: NotificationFacts['renewal_ahead']): SummaryLine {
  const times = quantity > 1 ? ` × ${quantity}` : ''
  const end = addMonths(at, period === 'annual' ? 12 : 1)
  return { label: `${getPlanName(sku)}, ${period}${times}`, hint: `${formatFullDay(at)} to ${formatFullDay(end)}` }
}

export function buildRenewalEmail(facts: NotificationFacts['renewal_ahead']): EmailContent {
  const { sku, period, at, total } = facts
  const [plan, periodName] = [getPlanName(sku), period === 'annual' ? 'year' : 'month']
  const planButton = { label: 'See my plan', to: SERVICES_PATH }
  const from = formatMethod(facts)
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${plan} renews on ${formatDay(at)} for ${formatMoney(total)}`,
    title: `${plan} renews on ${formatDay(at)}`,
    text: `Your ${periodName} of ${plan} ends on ${formatFullDay(at)}. If you do nothing, it renews for another ${periodName}, and ${formatMoney(total)} is charged from ${from}.`,
    lines: [
      toPlanLine(facts),
      {
        label: `Charged on ${formatFullDay(at)}`,
        hint: `From ${from}, sales tax included.`,
        value: formatMoney(total),
        isTotal: true,
      },
    ],
    buttons: [planButton, { label: 'Cancel or change', to: SERVICES_PATH }],
    action: toAction(planButton),
    small: `If you cancel before ${formatDay(at)}, nothing is charged and it works until then.${
      period === 'annual' ? ' If you cancel later, you get the unused whole months back.' : ''
    }`,
  }
}

export function buildCardExpiryEmail(facts: NotificationFacts['card_ends']): EmailContent {
  const { month, year, charge_at } = facts
  const [card, ends] = [formatMethod(facts), `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`]
  const paymentButton = { label: 'Change the card', to: PAYMENT_PATH }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${card} ends before your charge on ${formatDay(charge_at)}`,
    title: `${card} ends before your next charge`,
    text: `It ends in ${ends}, and the next charge is on ${formatFullDay(charge_at)}. Replace it before then, and nothing is interrupted.`,
    lines: [
      { label: card, hint: `Ends ${ends}` },
      { label: 'Next charge', value: formatFullDay(charge_at) },
    ],
    buttons: [paymentButton],
    action: toAction(paymentButton),
    small: 'If your bank has sent you a new card already, add that one and make it the default.',
  }
}

const NO_METHOD_MESSAGE = 'There is no payment method to charge it to. Add one.'
const DECLINED_MESSAGE = 'The payment was declined.'

const toReasonLine = (code: string): SummaryLine =>
  code === ''
    ? { label: NO_METHOD_MESSAGE }
    : { label: findCatalogEntry(code)?.text ?? DECLINED_MESSAGE, hint: `Code ${code}` }

export function buildChargeFailedEmail(facts: NotificationFacts['charge_failed']): EmailContent {
  const { sku, total, code, next_try, until } = facts
  const [plan, amount] = [getPlanName(sku), formatMoney(total)]
  const payButton = { label: 'Pay now', to: SERVICES_PATH }
  const retrySentence =
    next_try === null ? 'We do not try again by ourselves.' : `We try again on ${formatFullDay(next_try)}.`
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${amount} for ${plan} could not be charged; it works until ${formatDay(until)}`,
    title: `${amount} for ${plan} could not be charged`,
    text: `Nothing was charged and nothing is lost: ${plan} works until ${formatFullDay(until)}. ${retrySentence}`,
    lines: [
      { label: plan, ...(code === '' ? {} : { hint: `From ${formatMethod(facts)}` }), value: amount },
      toReasonLine(code),
      ...(next_try === null ? [] : [{ label: 'Next try', value: formatFullDay(next_try) }]),
      { label: 'Ends, if nothing is paid', value: formatFullDay(until) },
    ],
    buttons: [payButton, { label: 'Use another method', to: PAYMENT_PATH }],
    action: toAction(payButton),
  }
}

export function buildPlanEndedEmail({ sku, at, deleted_at }: NotificationFacts['plan_ended']): EmailContent {
  const plan = getPlanName(sku)
  const plansButton = { label: 'Explore plans', to: PLANS_PATH }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${plan} ended on ${formatDay(at)}; its clips are kept until ${formatDay(deleted_at)}`,
    title: `${plan} ended on ${formatDay(at)}`,
    text: `Nothing more is charged for it. Clips that only ${plan} keeps are hidden now and deleted on ${formatFullDay(deleted_at)}; a plan until then brings them back.`,
    lines: [
      { label: `${plan} ended`, value: formatFullDay(at) },
      { label: 'Its clips are deleted', value: formatFullDay(deleted_at) },
    ],
    buttons: [plansButton],
    action: toAction(plansButton),
  }
}

export function buildRefundFailedEmail(facts: NotificationFacts['refund_failed']): EmailContent {
  const [plan, amount, method] = [getPlanName(facts.sku), formatMoney(facts.total), formatMethod(facts)]
  const creditNoteButton = {
    label: 'See the credit note',
    to: `${BILLING_PATH}/invoice?bill=${encodeURIComponent(facts.bill)}`,
  }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `Your refund of ${amount} was returned by the bank`,
    title: `Your refund of ${amount} was returned by the bank`,
    text: `We tried twice to refund ${amount} for ${plan} to ${method}. The bank returned it, so it is on your balance now. The next bill uses it. To get it in another way, reply to this email.`,
    lines: [
      { label: 'Added to your balance', hint: `${plan}, credit note ${facts.bill}`, value: amount, isTotal: true },
    ],
    buttons: [creditNoteButton],
    action: toAction(creditNoteButton),
  }
}

export function buildInvoiceEmail(facts: NotificationFacts['bill']): EmailContent {
  const { kind, total, sku, at } = facts
  const isCredit = kind === 'credit_note'
  const [plan, amount, name] = [getPlanName(sku), formatMoney(Math.abs(total)), isCredit ? 'credit note' : 'bill']
  const invoiceButton = {
    label: `See the ${name}`,
    to: `${BILLING_PATH}/invoice?bill=${encodeURIComponent(facts.bill)}`,
  }
  const method = formatMethod(facts)
  const summary = isCredit
    ? `${amount} for ${plan} goes back to ${method}`
    : `${amount} for ${plan} was paid from ${method}`
  return {
    ...BILLING_EMAIL_DEFAULTS,
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
    buttons: [invoiceButton],
    action: toAction(invoiceButton),
    small: `All bills of your account stand under Billing at ${BRAND_NAME}, to read and to print.`,
  }
}
