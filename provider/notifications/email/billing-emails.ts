import { formatMoney } from '../../../contract/billing/amounts.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { NotificationFacts } from './notification-data.ts'
import type { EmailButton, EmailContent, SummaryLine } from './email-content.ts'
import { formatMethod, getPlanName, type ZonedFormats } from './email-format.ts'

const SERVICES_PATH = '/account/services'
const PAYMENT_PATH = '/account/payment'
/** Plan chooser. Its card of the free plan leads to the cancellation. */
const PLANS_PATH = '/account/products/choose'
const BILLING_PATH = '/account/billing'

const BILLING_EMAIL_DEFAULTS = { lines: [], more: [], small: null, about: 'money' } as const
const toAction = ({ label, to }: EmailButton) => ({ label, path: to })

export function buildTrialEndsEmail(
  { sku, at }: NotificationFacts['trial_ends'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const plan = getPlanName(sku)
  const plansButton = { label: 'Explore plans', to: PLANS_PATH }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `Your free trial of ${plan} ends on ${formatDay(at)}`,
    title: `Your free trial of ${plan} ends on ${formatDay(at)}`,
    text: `You won’t be charged. To keep ${plan}, subscribe before ${formatFullDay(at)}.`,
    lines: [{ label: `${plan}, free trial`, hint: `Until ${formatFullDay(at)}`, value: formatMoney(0) }],
    buttons: [plansButton],
    action: toAction(plansButton),
    small: 'If you do nothing, your cameras will switch to the free plan.',
  }
}

/** Formats the expiry of a card as "12/26". */
const formatExpiry = ({ month, year }: { month: number; year: number }): string =>
  `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`

/** Returns the same day of the month `months` later. In a shorter month, returns its last day. Times in ms UTC. */
function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), last))
}

function toPlanLine(
  { sku, period, quantity, at, net }: NotificationFacts['renewal_ahead'],
  { formatFullDay }: ZonedFormats,
): SummaryLine {
  const times = quantity > 1 ? ` × ${quantity}` : ''
  const end = addMonths(at, period === 'annual' ? 12 : 1)
  return {
    label: `${getPlanName(sku)}, ${period}${times}`,
    hint: `${formatFullDay(at)} to ${formatFullDay(end)}`,
    ...(net === undefined ? {} : { value: formatMoney(net) }),
  }
}

export function buildRenewalEmail(facts: NotificationFacts['renewal_ahead'], formats: ZonedFormats): EmailContent {
  const { formatDay, formatFullDay } = formats
  const { sku, period, at, total, tax, month, year } = facts
  const [plan, periodName] = [getPlanName(sku), period === 'annual' ? 'year' : 'month']
  const planButton = { label: 'View plan', to: SERVICES_PATH }
  const from = formatMethod(facts)
  const card = month && year ? `${from}, expires ${formatExpiry({ month, year })}` : from
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${plan} renews on ${formatDay(at)} for ${formatMoney(total)}`,
    title: `${plan} renews on ${formatDay(at)}`,
    text: `Your current ${periodName} of ${plan} ends on ${formatFullDay(at)}. If you do nothing, we’ll renew your plan for another ${periodName} and charge ${formatMoney(total)} to ${from}.`,
    lines: [
      toPlanLine(facts, formats),
      ...(!tax ? [] : [{ label: 'Sales tax', value: formatMoney(tax) }]),
      {
        label: `Charge on ${formatFullDay(at)}`,
        hint: tax === undefined ? `To ${card}, including sales tax` : `To ${card}`,
        value: formatMoney(total),
        isTotal: true,
      },
    ],
    buttons: [planButton, { label: 'Cancel or change plan', to: PLANS_PATH }],
    action: toAction(planButton),
    small: `If you cancel before ${formatDay(at)}, you won’t be charged and the plan stays active until then.${
      period === 'annual' ? ' If you cancel later, we’ll refund any full months you haven’t used.' : ''
    }`,
  }
}

export function buildCardExpiryEmail(
  facts: NotificationFacts['card_ends'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const { charge_at } = facts
  const [card, ends] = [formatMethod(facts), formatExpiry(facts)]
  const paymentButton = { label: 'Update card', to: PAYMENT_PATH }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${card} expires before your next charge on ${formatDay(charge_at)}`,
    title: `${card} expires before your next charge`,
    text: `Your card expires ${ends}, before your next charge on ${formatFullDay(charge_at)}. Replace the card by then to avoid an interruption.`,
    lines: [
      { label: card, hint: `Expires ${ends}` },
      { label: 'Next charge', value: formatFullDay(charge_at) },
    ],
    buttons: [paymentButton],
    action: toAction(paymentButton),
    small: 'If your bank already sent you a new card, add it and make it your default.',
  }
}

const NO_METHOD_MESSAGE = 'Your account has no payment method. Add one to pay.'
const DECLINED_MESSAGE = 'The payment was declined.'

const toReasonLine = (code: string): SummaryLine =>
  code === ''
    ? { label: NO_METHOD_MESSAGE }
    : { label: findCatalogEntry(code)?.text ?? DECLINED_MESSAGE, hint: `Error code ${code}` }

export function buildChargeFailedEmail(
  facts: NotificationFacts['charge_failed'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const { sku, total, code, next_try, until } = facts
  const [plan, amount] = [getPlanName(sku), formatMoney(total)]
  const payButton = { label: 'Pay now', to: SERVICES_PATH }
  const retrySentence =
    next_try === null ? 'We won’t try again automatically.' : `We’ll try again on ${formatFullDay(next_try)}.`
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `Payment failed: ${amount} for ${plan}. Your plan stays active until ${formatDay(until)}`,
    title: `Payment failed: ${amount} for ${plan}`,
    text: `You haven’t been charged. ${plan} stays active until ${formatFullDay(until)}. ${retrySentence}`,
    lines: [
      { label: plan, ...(code === '' ? {} : { hint: `From ${formatMethod(facts)}` }), value: amount },
      toReasonLine(code),
      ...(next_try === null ? [] : [{ label: 'Next attempt', value: formatFullDay(next_try) }]),
      { label: 'Plan ends if unpaid', value: formatFullDay(until) },
    ],
    buttons: [payButton, { label: 'Use another payment method', to: PAYMENT_PATH }],
    action: toAction(payButton),
  }
}

export function buildPlanEndedEmail(
  { sku, at, deleted_at }: NotificationFacts['plan_ended'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const plan = getPlanName(sku)
  const plansButton = { label: 'Explore plans', to: PLANS_PATH }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `${plan} ended on ${formatDay(at)}. Hidden clips will be deleted on ${formatDay(deleted_at)}`,
    title: `${plan} ended on ${formatDay(at)}`,
    text: `You won’t be charged for ${plan} again. Clips that require this plan are now hidden. They’ll be deleted on ${formatFullDay(deleted_at)}. Subscribe before then to restore them.`,
    lines: [
      { label: `${plan} ended`, value: formatFullDay(at) },
      { label: 'Clips will be deleted', value: formatFullDay(deleted_at) },
    ],
    buttons: [plansButton],
    action: toAction(plansButton),
  }
}

export function buildRefundFailedEmail(facts: NotificationFacts['refund_failed']): EmailContent {
  const [plan, amount, method] = [getPlanName(facts.sku), formatMoney(facts.total), formatMethod(facts)]
  const creditNoteButton = {
    label: 'View credit note',
    to: `${BILLING_PATH}/invoice?bill=${encodeURIComponent(facts.bill)}`,
  }
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `The bank returned your refund of ${amount}`,
    title: `The bank returned your refund of ${amount}`,
    text: `We tried twice to refund ${amount} for ${plan} to ${method}, but the bank returned the money. We added the refund to your balance, which goes toward your next invoice. To get the money another way, reply to this email.`,
    lines: [
      { label: 'Added to your balance', hint: `${plan}, credit note ${facts.bill}`, value: amount, isTotal: true },
    ],
    buttons: [creditNoteButton],
    action: toAction(creditNoteButton),
  }
}

export function buildInvoiceEmail(
  facts: NotificationFacts['bill'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const { kind, total, sku, at } = facts
  const isCredit = kind === 'credit_note'
  const [plan, amount, name] = [getPlanName(sku), formatMoney(Math.abs(total)), isCredit ? 'credit note' : 'invoice']
  const invoiceButton = {
    label: `View ${name}`,
    to: `${BILLING_PATH}/invoice?bill=${encodeURIComponent(facts.bill)}`,
  }
  const method = formatMethod(facts)
  const summary = isCredit
    ? `We refunded ${amount} for ${plan} to ${method}`
    : `${amount} for ${plan} was charged to ${method}`
  return {
    ...BILLING_EMAIL_DEFAULTS,
    subject: `Your ${name} from ${formatDay(at)}: ${amount} for ${plan}`,
    title: `Your ${name}: ${amount} for ${plan}`,
    text: `${summary} on ${formatFullDay(at)}. The ${name} number is ${facts.bill}.`,
    lines: [
      { label: plan, hint: `${isCredit ? 'Credit note' : 'Invoice'} ${facts.bill}, ${formatFullDay(at)}` },
      {
        label: isCredit ? 'Refunded' : 'Paid',
        hint: `${isCredit ? 'To' : 'From'} ${method}, including sales tax`,
        value: amount,
        isTotal: true,
      },
    ],
    buttons: [invoiceButton],
    action: toAction(invoiceButton),
    small: `You can view and print all invoices under Billing.`,
  }
}
