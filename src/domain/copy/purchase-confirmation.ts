import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Order } from '../../../contract/billing/purchase.ts'
import { formatCameraCount } from './counts.ts'
import { fullDayLabel } from '../time/date-formats.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { methodName } from './payment-methods.ts'

export function purchaseTitle({ sku, is_later, is_trial, starts_at }: Order): string {
  const { name } = getPlan(sku)
  if (is_later) return `${name} starts on ${fullDayLabel(starts_at)}`
  return is_trial ? `${name} is on, free` : `${name} is on`
}

interface CameraCoverage {
  /** Number of the account's own cameras that are covered now, out of `cameras`. */
  covered: number
  cameras: number
  /** Licenses that cover no camera yet. */
  free: number
}

export function purchaseSentence({ sku, is_later }: Order, { covered, cameras, free }: CameraCoverage): string {
  if (is_later) return 'Until then everything stays as it is. Nothing was charged today.'
  if (getPlan(sku).tier === null) return 'Your home is watched over from now on. Nothing more to set up.'
  if (cameras === 0) return 'The first camera that you add is covered.'
  const left = free === 1 ? 'One licence is' : `${free} licences are`
  if (free > 0) return `${left} free${covered < cameras ? '. Choose what to cover.' : ' for cameras that you add.'}`
  if (covered < cameras) return `${covered} of ${formatCameraCount(cameras)} are covered now.`
  return cameras === 1
    ? 'Your camera is covered now. Nothing more to set up.'
    : `All ${formatCameraCount(cameras)} are covered now. Nothing more to set up.`
}

export function paidText({ paid, method, is_trial }: Order): string {
  if (paid === 0) return is_trial ? 'Nothing was charged' : 'Nothing was due'
  const by = method
    ? ` with ${methodName({ ...method, brand: method.brand as Parameters<typeof methodName>[0]['brand'] })}`
    : ''
  return `${formatMoney(paid)} paid${by}`
}

export const invoiceLabel = ({ bill, at }: Order): string =>
  bill === '' ? fullDayLabel(at) : `Bill ${bill}, ${fullDayLabel(at)}`

export function nextChargeText({ next, is_trial }: Order): { title: string; line: string } {
  if (next) return { title: `Next charge ${fullDayLabel(next.at)}`, line: `${formatMoney(next.total)} with tax.` }
  return { title: 'No next charge', line: is_trial ? 'It ends automatically.' : 'Nothing is to be paid.' }
}
