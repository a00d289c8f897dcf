import { FREE_RETENTION_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { CouponChange, CouponOption, CouponRefusal } from '../../../contract/billing/coupons.ts'
import { formatClock, dayWords, fullDayLabel } from '../time/date-formats.ts'
import { isSameDay } from '../time/local-time.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'

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
      return `${formatMoney(value)} for your next bills`
    case 'bonus':
      return `${planName(option)} for one more camera, ${value} days free`
    case 'percent':
      return `${value} % off ${planName(option)}`
    case 'amount':
      return `${formatMoney(value)} off ${planName(option)}`
  }
}

/**
 * Returns the note under the title of a coupon option; '' if there is none. `currentPlanName`: '' without a current
 * plan.
 */
export function couponOptionNote(option: CouponOption, currentPlanName: string): string {
  if (isDiscount(option)) return 'Comes off the first price of a plan that you choose.'
  if (option.kind === 'credit')
    return currentPlanName ? `${currentPlanName} stays as it is` : 'For whatever you buy next'
  if (!option.sku) return ''
  const { keepsDays, search, per } = getPlan(option.sku)
  if (keepsDays === null) return ''
  const cameras = per === 'home' ? 'all your cameras' : 'a camera of your choice'
  return `${keepsDays} ${keepsDays === FREE_RETENTION_DAYS ? 'day' : 'days'} of clips${search ? ' and search' : ''} on ${cameras}`
}

export function redeemLabel(option: CouponOption): string {
  const { kind, value } = option
  if (kind === 'credit') return `Use it: ${formatMoney(value)} for my bills`
  if (kind === 'free_months') return `Use it: ${spellNumber(value)} free ${value === 1 ? 'month' : 'months'}`
  return `Use it: ${value} days for one more camera`
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
        return [{ kind: 'free', text: `It ends automatically on ${fullDayLabel(change.at)}. Nothing is charged.` }]
      case 'bill':
        return [{ kind: 'bill', text: billText(change, change === bills.at(-1), now) }]
      case 'waits':
        return [{ kind: 'bill', text: `${formatMoney(change.amount)} waits for your next bill.` }]
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
    to_balance > 0 ? ` What is unused of it, ${formatMoney(to_balance)} with tax, becomes your balance.` : ''
  return `${getPlan(sku).name} ends ${day}.${unused}`
}

function followingPriceText({ period, total, first }: ChangeOf<'then'>): string {
  const periodText = period === 'annual' ? 'a year' : 'a month'
  const discountedPriceText = first < total ? `, the first time ${formatMoney(first)}` : ''
  return `Then ${formatMoney(total)} ${periodText} with tax${discountedPriceText}.`
}

function billText({ at, total, less, pay }: ChangeOf<'bill'>, isLast: boolean, now: number): string {
  const rest = isLast && less < total ? `the last ${formatMoney(less)}` : formatMoney(less)
  return `${dayWords(at, now)}: ${formatMoney(total)} less ${rest}. You pay ${formatMoney(pay)}.`
}

/** Describes how the coupon may be used: once, until a date, and with a choice if there are several options. */
export function couponUseText(until: number | null, options: number): string {
  const when = until === null ? '' : `, until ${fullDayLabel(until)}`
  const choose = options > 1 ? ` Choose one of ${spellNumber(options)}.` : ''
  return `You can use it, once${when}.${choose}`
}

/** Explains why the account may not use a coupon. Names the current plan and its start date if they are the reason. */
export function couponRefusalText({ reason, sku, since }: CouponRefusal): string {
  const plan = sku ? getPlan(sku).name : 'a plan'
  const sinceText = since === null ? '' : ` since ${fullDayLabel(since)}`
  switch (reason) {
    case 'has_plan':
      return `You have ${plan}${sinceText}. It gives as much already, so the coupon would add nothing.`
    case 'new_only':
      return `It is for accounts that have never paid. You have ${plan}${sinceText}.`
    case 'trial':
      return `Your free days of ${plan} run${sinceText}. The coupon would cut them short.`
    case 'channel':
      return `${capitalize(plan)} was bought in another shop${sinceText}. A coupon cannot change it from here.`
    case 'credit':
      return 'Your balance would be higher than it may be. It can be used once some of it is spent.'
    case 'select':
      return 'It was given to certain customers, by their email. This account is none of them.'
    case 'used':
      return 'You have used it before. It works once for each account.'
  }
}

/** Suggests what to do about a rejected coupon; '' if nothing helps. */
export function couponRefusalAdvice({ reason, until }: CouponRefusal): string {
  const when = until === null ? '' : ` until ${fullDayLabel(until)}`
  if (reason === 'used') return ''
  if (reason === 'credit') return 'Try again after your next bill, or write to us.'
  if (reason === 'trial') return `Use it when the free days are over${when}. Or write to us.`
  if (reason === 'select') return 'Sign in with the account that it was sent to, or write to us.'
  return `Pass it on: somebody else can use it${when}. Or write to us.`
}

/** Describes when the user can try again; '' if the time is unknown. */
export function nextAttemptText(seconds: number | undefined, now: number): string {
  return seconds === undefined ? '' : `You can try again at ${formatClock(now + seconds * 1000)}.`
}
