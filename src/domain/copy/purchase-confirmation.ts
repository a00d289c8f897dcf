import { HOME_MONITORING, SAMPLE_NOTE } from '../../../contract/brand.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Order } from '../../../contract/billing/purchase.ts'
import { formatCameraCount } from './counts.ts'
import { formatAllAtStart } from './lists.ts'
import { fullDayLabel } from '../time/date-formats.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { methodName } from './payment-methods.ts'
import { hasRenewalReminder, RENEWAL_REMINDER_TEXT } from './price-quote.ts'

export function purchaseTitle({ sku, is_later, is_trial, starts_at }: Order): string {
  const { name } = getPlan(sku)
  if (is_later) return `${name} starts on ${fullDayLabel(starts_at)}`
  return is_trial ? `Your free trial of ${name} has started` : `${name} is active`
}

interface CameraCoverage {
  /** Number of the account's own cameras that are covered now, out of `cameras`. */
  covered: number
  cameras: number
  /** Licenses that cover no camera yet. */
  free: number
}

/** Describes what is covered now and what to do next; '' while `coverage` is unknown. */
export function purchaseSentence({ sku, is_later }: Order, coverage: CameraCoverage | null): string {
  if (is_later) return 'Your plan stays the same until then. You weren’t charged today.'
  if (getPlan(sku).tier === null) return HOME_MONITORING === null ? SAMPLE_NOTE : 'Your camera plan stays the same.'
  if (coverage === null) return ''
  const { covered, cameras, free } = coverage
  if (cameras === 0) return 'Add your first camera to get started.'
  const left = free === 1 ? '1 unused license' : `${free} unused licenses`
  if (free > 0)
    return covered < cameras
      ? `You have ${left}. Choose ${free === 1 ? 'a camera' : 'which cameras'} to cover.`
      : `You have ${left} for ${free === 1 ? 'a new camera' : 'new cameras'}.`
  if (covered < cameras) return `${covered} of ${formatCameraCount(cameras)} ${covered === 1 ? 'is' : 'are'} covered.`
  return cameras === 1
    ? 'Your camera is covered. You’re all set.'
    : `${formatAllAtStart(cameras, 'camera')} are covered. You’re all set.`
}

export function paidText({ paid, method, is_trial }: Order): string {
  if (paid === 0) return is_trial ? 'You weren’t charged' : 'No payment was due'
  const by = method
    ? ` with ${methodName({ ...method, brand: method.brand as Parameters<typeof methodName>[0]['brand'] })}`
    : ''
  return `${formatMoney(paid)} paid${by}`
}

export const invoiceLabel = ({ bill, at }: Order): string =>
  bill === '' ? fullDayLabel(at) : `Invoice ${bill}, ${fullDayLabel(at)}`

/** Describes the next charge. `defaultMethodName`: method method, which the ledger charges; '' if unknown. */
export function nextChargeText(order: Order, defaultMethodName = ''): { title: string; line: string } {
  const { next, is_trial, period, at } = order
  if (next) {
    const method = defaultMethodName === '' ? '' : `, to ${defaultMethodName}`
    const reminder = hasRenewalReminder(period, next.at, at) ? `. ${RENEWAL_REMINDER_TEXT}` : ''
    return {
      title: `Next charge on ${fullDayLabel(next.at)}`,
      line: `${formatMoney(next.total)} with tax${method}${reminder}`,
    }
  }
  return { title: 'No further charges', line: is_trial ? 'Your free trial ends automatically.' : 'No action needed.' }
}
