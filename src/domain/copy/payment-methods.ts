import type { PaymentMethod, UpcomingCharge } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { formatCameraCount } from './counts.ts'
import { formatList } from './lists.ts'
import { dayMonthLabel, fullDayLabel } from '../time/date-formats.ts'

const CARD_BRAND_NAMES: Record<PaymentMethod['brand'], string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
  wallet: 'Wallet',
}

type NamedMethod = Pick<PaymentMethod, 'brand' | 'last_four' | 'name'>

/** Names a payment method: `Visa ·· 4242`, `Wallet, maya.reyes`. */
export const methodName = ({ brand, last_four, name }: NamedMethod): string =>
  brand === 'wallet' ? ['Wallet', name].filter(Boolean).join(', ') : `${CARD_BRAND_NAMES[brand]} ·· ${last_four}`

/** Formats the expiry month: `08/28`; '' for a method without expiry. */
export function expiryLabel(ends: PaymentMethod['ends']): string {
  return ends ? `${String(ends.month).padStart(2, '0')}/${String(ends.year % 100).padStart(2, '0')}` : ''
}

/** Returns the expiry or the date of addition: `Expires 08/28`, `Added 2 October 2026`. */
export function methodDetail({ ends, added_at }: Pick<PaymentMethod, 'ends' | 'added_at'>): string {
  return ends ? `Expires ${expiryLabel(ends)}` : `Added ${fullDayLabel(added_at)}`
}

/**
 * Describes the charges that a payment method pays, and gives the date of a charge that would fail because the method
 * expires first.
 */
export function describeMethodUse(method: PaymentMethod, upcoming: readonly UpcomingCharge[]): string {
  if (method.state === 'ended' && method.may_go) return 'Not in use. You can remove it.'
  const ownCharges = upcoming.filter(({ method_id }) => method_id === method.method_id)
  if (ownCharges.length === 0) return method.state === 'good' ? methodDetail(method) : 'Not in use.'
  const paysText = `Pays for ${formatList([...new Set(ownCharges.map(({ sku }) => getPlan(sku).name))])}.`
  const day = (charge: UpcomingCharge) => dayMonthLabel(charge.at)
  const [succeedingCharge, failingCharge] = [
    ownCharges.find((charge) => !charge.would_fail),
    ownCharges.find((charge) => charge.would_fail),
  ]
  if (succeedingCharge && failingCharge)
    return `${paysText} The ${day(succeedingCharge)} charge should go through. This method expires before the ${day(failingCharge)} charge.`
  if (failingCharge) return `${paysText} This method expires before the ${day(failingCharge)} charge.`
  return `${methodDetail(method)}. ${paysText}`
}

/** Names an upcoming charge: `Camera AI, 3 cameras`. */
export function chargeName({ sku, quantity }: Pick<UpcomingCharge, 'sku' | 'quantity'>): string {
  const { name, per } = getPlan(sku)
  return per === 'camera' ? `${name}, ${formatCameraCount(quantity)}` : name
}

/** Returns the line under an upcoming charge: the plan, and the payment method that pays. */
export function chargeLine(charge: UpcomingCharge, methods: readonly PaymentMethod[]): string {
  const method = methods.find(({ method_id }) => method_id === charge.method_id)
  const payerText = !method
    ? 'no payment method'
    : `${methodName(method)}${charge.would_fail ? ' expires before then' : ''}`
  return `${chargeName(charge)} · ${payerText}`
}

/** Returns a valid method that does not pay the next charge yet; undefined if there is none, or no charge. */
export const findOtherMethod = (
  methods: readonly PaymentMethod[],
  upcoming: readonly UpcomingCharge[],
): PaymentMethod | undefined =>
  upcoming.length === 0 ? undefined : methods.find(({ state, is_default }) => state === 'good' && !is_default)
