import { formatMoney } from '../../../contract/billing/amounts.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { Prices } from '../billing/plan-comparison.ts'
import { dayWords } from '../time/date-formats.ts'
import { formatCameraCount, formatClipCount, formatDayCount, formatNumber } from './counts.ts'
import { formatAll } from './lists.ts'
import { shortPlanName, type PlanCardSku } from './plan-cards.ts'
import { getPlanPath, savingText } from './plan-page.ts'

/** Plan of the account: `loading` until its subscriptions are known, null for the free plan. */
export type OwnPlan = Subscription | 'loading' | null

/** Link at the end of a card, or a text if there is nothing to choose. */
export interface PlanAction {
  readonly text: string
  /** Path of the link; null for a text without a link. */
  readonly href: string | null
  /** True if the link starts the cancellation of the account's plan. */
  readonly isCancellation?: true
}

const SERVICES_PATH = '/account/services'
const PERIOD_NAMES: Readonly<Record<Period, string>> = { monthly: 'monthly', annual: 'annual' }

/** Returns the action of the account's own plan. */
function ownPlanAction({ sku, channel, status, period }: Subscription, chosenPeriod: Period): PlanAction {
  if (channel !== 'web') return { text: 'Current plan', href: null }
  if (status === 'cancelled') return { text: 'Undo cancellation', href: SERVICES_PATH }
  if (status === 'trial') return { text: 'Subscribe', href: getPlanPath(sku, chosenPeriod) }
  if (period !== chosenPeriod)
    return { text: `Switch to ${PERIOD_NAMES[chosenPeriod]} billing`, href: getPlanPath(sku, chosenPeriod) }
  if (getPlan(sku).per === 'camera') return { text: 'Change number of cameras', href: getPlanPath(sku, chosenPeriod) }
  return { text: 'Current plan', href: null }
}

/** Returns the action of the free plan for an account with a paid plan. */
function freePlanAction({ channel, status, renews_at }: Subscription, now: number): PlanAction {
  if (channel === 'amazon') return { text: 'Cancel on Amazon', href: null }
  if (channel === 'bonus' || status === 'cancelled' || status === 'trial')
    return { text: `Starts ${dayWords(renews_at, now)}`, href: null }
  return { text: 'Switch to Free', href: SERVICES_PATH, isCancellation: true }
}

/** Returns the action of a plan. `now`: ms UTC. */
export function planAction(
  sku: PlanCardSku,
  own: OwnPlan,
  { period, isOnSale, now }: { readonly period: Period; readonly isOnSale: boolean; readonly now: number },
): PlanAction {
  if (sku === 'free') {
    if (own === 'loading' || own === null) return { text: own === null ? 'Current plan' : '', href: null }
    return freePlanAction(own, now + own.clock)
  }
  if (own !== null && own !== 'loading' && own.sku === sku) return ownPlanAction(own, period)
  if (!isOnSale) return { text: 'Not available here', href: null }
  return { text: `Choose ${shortPlanName(sku)}`, href: getPlanPath(sku, period) }
}

interface NoteContext {
  readonly own: OwnPlan
  readonly period: Period
  readonly prices: Prices
  readonly currency: string
  /** Cameras that the account's licenses cover; null if unknown. */
  readonly covered: number | null
  readonly now: number
}

/** Returns the line below a price: the account's own terms, or how the price compares. At most 34 characters. */
export function planNote(sku: PlanCardSku, context: NoteContext): string {
  const { own, period, prices, currency } = context
  if (own !== null && own !== 'loading' && own.sku === sku) return ownPlanNote(own, context)
  if (sku === 'free') return ''
  if (period === 'annual') return savingText(prices[sku].monthly, prices[sku].annual, getPlan(sku).per, currency)
  if (sku !== 'pro') return ''
  const moreDays = (getPlan('pro').keepsDays ?? 0) - (getPlan('unlimited').keepsDays ?? 0)
  return `${formatMoney(prices.pro[period] - prices.unlimited[period], currency)} more for ${moreDays} more days`
}

function ownPlanNote(
  { sku, quantity, period, status, channel, renews_at, clock }: Subscription,
  { covered, now }: NoteContext,
): string {
  if (channel === 'amazon') return 'Bought on Amazon'
  const day = dayWords(renews_at, now + clock)
  if (channel === 'bonus' || status === 'cancelled') return `Ends ${day}`
  if (status === 'trial') return `Free trial, ends ${day}`
  if (status === 'past_due') return 'Payment failed'
  if (getPlan(sku).per === 'camera' && covered !== null) return `${covered} of ${quantity} licenses used`
  return period === 'annual' ? 'Billed annually' : 'Billed monthly'
}

type SimulatedPlan = ResponseOf<typeof simulatePlans>['data']['plans'][number]

/** Minimum history for a meter: with fewer days, every plan would have kept about the same. */
export const MIN_METER_DAYS = 7

/** Returns the texts of the meter: clips kept, and the days and cameras that they come from. */
export function keptClipsTexts(
  { sku, cameras, kept: keptCount, lost }: Pick<SimulatedPlan, 'sku' | 'cameras' | 'kept' | 'lost'>,
  home: { readonly clips: number; readonly cameras: number; readonly days: number },
): { readonly count: string; readonly reach: string } {
  const moreDays = (getPlan(sku).keepsDays ?? 0) - home.days
  const reach =
    sku === 'free'
      ? 'From the last day only'
      : lost === 0
        ? moreDays > 0 && sku === 'pro'
          ? `Room for another ${formatDayCount(moreDays)} of clips`
          : `All clips from the last ${formatDayCount(home.days)}`
        : cameras < home.cameras
          ? `On ${cameras} of ${formatCameraCount(home.cameras)}`
          : home.cameras === 1
            ? 'On your camera'
            : `On ${formatAll(home.cameras, 'camera')}`
  return { count: `${formatNumber(keptCount)} of ${formatClipCount(home.clips)}`, reach }
}

/** Describes the price advantage of the suggested plan: `Saves $7.95 for 6 cameras`. */
export function suggestionText({ less }: { less: number }, cameras: number, currency: string): string {
  const scope = formatCameraCount(cameras)
  return less > 0 ? `Saves ${formatMoney(less, currency)} on ${scope}` : `Same price for ${scope}`
}
