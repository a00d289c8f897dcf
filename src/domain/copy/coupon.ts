import { FREE_RETENTION_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { CouponChange, CouponOption, CouponRefusal } from '../../../contract/billing/coupons.ts'
import { formatClock, dayWords, fullDayLabel } from '../time/date-formats.ts'
import { isSameDay } from '../time/local-time.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { formatDayCount, formatPercent } from './counts.ts'

const NUMBER_WORDS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

const spellNumber = (number: number): string => NUMBER_WORDS[number] ?? String(number)
const capitalize = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
const planName = ({ sku }: Pick<CouponOption, 'sku'>) => (sku ? getPlan(sku).name : 'a plan')

/** True if the coupon reduces a price, so that a plan page applies it. */
export const isDiscount = ({ kind }: Pick<CouponOption, 'kind'>): boolean => kind === 'percent' || kind === 'amount'

/** Describes the benefit of a coupon: `Three free months of Unlimited Cameras`. */
export function couponOptionTitle(option: CouponOption): string {
  const { kind, value } = option
  switch (kind) {
    case 'free_months':
      return `${capitalize(spellNumber(value))} free ${value === 1 ? 'month' : 'months'} of ${planName(option)}`
    case 'credit':
      return `${formatMoney(value)} toward future invoices`
    case 'bonus':
      return `${planName(option)} for one more camera, free for ${formatDayCount(value)}`
    case 'percent':
      return `${formatPercent(value)} off ${planName(option)}`
    case 'amount':
      return `${formatMoney(value)} off ${planName(option)}`
  }
}

/**
 * Returns the note under the title of a coupon option; '' if there is none. `currentPlanName`: '' without a current
 * plan.
 */
export function couponOptionNote(option: CouponOption, currentPlanName: string): string {
  if (isDiscount(option)) return 'Applies to the plan’s first charge.'
  if (option.kind === 'credit')
    return currentPlanName ? `Your ${currentPlanName} plan stays the same` : 'For your next purchase'
  if (!option.sku) return ''
  const { keepsDays, search, per } = getPlan(option.sku)
  if (keepsDays === null) return ''
  const cameras = per === 'home' ? 'all your cameras' : 'a camera of your choice'
  return `${keepsDays} ${keepsDays === FREE_RETENTION_DAYS ? 'day' : 'days'} of clips${search ? ' and search' : ''} on ${cameras}`
}

export function redeemLabel(option: CouponOption): string {
  const { kind, value } = option
  if (kind === 'credit') return `Redeem ${formatMoney(value)}`
  if (kind === 'free_months') return `Redeem ${spellNumber(value)} free ${value === 1 ? 'month' : 'months'}`
  return `Redeem ${value} free days`
}

export interface CouponChangeText {
  readonly kind: 'ends' | 'free' | 'bill' | 'licence'
  readonly text: string
}

/** Describes the changes that a coupon makes, with their dates and amounts. `now` in ms UTC. */
export function describeCouponChanges(changes: readonly CouponChange[], now: number): CouponChangeText[] {
  const bills = changes.filter(({ kind }) => kind === 'bill')
  return changes.flatMap((change): CouponChangeText[] => {
    switch (change.kind) {
      case 'ends':
        return [{ kind: 'ends', text: planEndText(change, now) }]
      case 'free_until': {
        const then = changes.find((entry) => entry.kind === 'then')
        const text = [`Free until ${fullDayLabel(change.at)}.`, ...(then ? [followingPriceText(then)] : [])]
        return [{ kind: 'free', text: text.join(' ') }]
      }
      case 'then':
        return changes.some(({ kind }) => kind === 'free_until')
          ? []
          : [{ kind: 'free', text: followingPriceText(change) }]
      case 'ends_by_itself':
        return [{ kind: 'free', text: `Ends automatically on ${fullDayLabel(change.at)}. No charge.` }]
      case 'bill':
        return [{ kind: 'bill', text: billText(change, change === bills.at(-1), now) }]
      case 'waits':
        return [{ kind: 'bill', text: `${formatMoney(change.amount)} off your next invoice.` }]
      case 'licence':
        return [
          {
            kind: 'licence',
            text: `${getPlan(change.sku).name} covers one more camera until ${fullDayLabel(change.at)}.`,
          },
        ]
    }
  })
}

type ChangeOf<Kind extends CouponChange['kind']> = Extract<CouponChange, { kind: Kind }>

function planEndText({ sku, at, to_balance }: ChangeOf<'ends'>, now: number): string {
  const day = isSameDay(at, now) ? 'today' : `on ${dayWords(at, now)}`
  const unused =
    to_balance > 0
      ? ` The unused portion, ${formatMoney(to_balance)} including tax, will be added to your balance.`
      : ''
  return `${getPlan(sku).name} ends ${day}.${unused}`
}

function followingPriceText({ period, total, first }: ChangeOf<'then'>): string {
  const periodText = period === 'annual' ? 'a year' : 'a month'
  const firstChargeText = first < total ? ` Your first charge is ${formatMoney(first)}.` : ''
  return `Then ${formatMoney(total)} ${periodText} with tax.${firstChargeText}`
}

function billText({ at, total, less, pay }: ChangeOf<'bill'>, isLast: boolean, now: number): string {
  const rest = isLast && less < total ? `the remaining ${formatMoney(less)}` : formatMoney(less)
  return `${dayWords(at, now)}: ${formatMoney(total)} minus ${rest}. You pay ${formatMoney(pay)}.`
}

/** Describes how the coupon may be used: once, until a date, and with a choice if there are several options. */
export function couponUseText(until: number | null, options: number): string {
  const when = until === null ? '' : `, until ${fullDayLabel(until)}`
  const choose = options > 1 ? ` Choose one of ${spellNumber(options)} options.` : ''
  return `Valid for one use${when}.${choose}`
}

/** Explains why the account may not use a coupon. Names the current plan and its start date if they are the reason. */
export function couponRefusalText({ reason, sku, since }: CouponRefusal): string {
  const plan = sku ? getPlan(sku).name : ''
  const planText = since === null ? `You already have ${plan}.` : `You’ve had ${plan} since ${fullDayLabel(since)}.`
  switch (reason) {
    case 'has_plan':
      return `${plan === '' ? '' : `${planText} `}This coupon wouldn’t add anything to your plan.`
    case 'new_only':
      return `This coupon is for new customers. ${plan === '' ? 'This account has already made a payment.' : planText}`
    case 'trial':
      return `${plan === '' ? '' : `${planText} `}This coupon would cut your free trial short.`
    case 'channel':
      return `${plan === '' ? '' : `${planText} `}This coupon can’t be used with a plan you bought elsewhere.`
    case 'credit':
      return 'This coupon would raise your balance above the limit. Spend some of your balance first.'
    case 'select':
      return 'This coupon is for selected customers and isn’t valid for this account.'
    case 'used':
      return 'You’ve already used this coupon. Each account can use it once.'
  }
}

/** Suggests what to do about a rejected coupon; '' if nothing helps. */
export function couponRefusalAdvice({ reason, until }: CouponRefusal): string {
  const validity = until === null ? '' : ` The coupon is valid until ${fullDayLabel(until)}.`
  if (reason === 'used') return ''
  if (reason === 'credit') return 'Try again after your next invoice, or contact us.'
  if (reason === 'trial') return `Redeem this coupon when your free trial ends, or contact us.${validity}`
  if (reason === 'select') return 'Log in with the account that received the coupon, or contact us.'
  return `Share this coupon with someone else, or contact us.${validity}`
}

/** Describes when the user can try again; '' if the time is unknown. */
export function nextAttemptText(seconds: number | undefined, now: number): string {
  return seconds === undefined ? '' : `You can try again at ${formatClock(now + seconds * 1000)}.`
}
