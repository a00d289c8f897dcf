import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { formatCount, formatDayCount, formatCameraCount } from './counts.ts'
import { dayWords, fullDayLabel } from '../time/date-formats.ts'
import { paysPerLicense } from '../billing/license-counts.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Copy of `SOFT_DELETE_DAYS` in contract/billing/cancellation.ts, so that pages need not load that module. */
const HIDDEN_CLIP_DAYS = 14

export interface SubscriptionStatusLabel {
  readonly text: string
  readonly tone: 'success' | 'warning' | 'error' | 'primary'
}

type SubscriptionStatusFields = Pick<
  Subscription,
  'status' | 'renews_at' | 'channel' | 'paused_until' | 'running' | 'open'
>

/** Returns a label of a few words for the state of a subscription. `now` in ms UTC. */
export function statusLabel(subscription: SubscriptionStatusFields, now: number): SubscriptionStatusLabel {
  const { status, renews_at, channel, paused_until } = subscription
  if (paused_until !== null) return { text: `Paused until ${dayWords(paused_until, now)}`, tone: 'primary' }
  if (status === 'past_due') return { text: subscription.running ? 'Payment failed' : 'Stopped', tone: 'error' }
  const days = Math.max(0, Math.ceil((renews_at - now) / DAY_MS))
  const left = `${formatDayCount(days)} left`
  if (channel === 'bonus') return { text: `Bonus, ${left}`, tone: 'success' }
  if (status === 'active') return { text: 'Active', tone: 'success' }
  if (status === 'cancelled') return { text: `Ends ${dayWords(renews_at, now)}`, tone: 'warning' }
  return { text: `Trial, ${left}`, tone: 'warning' }
}

/** Returns true if a subscription has ended. A paused or unpaid subscription can still continue. */
export const isSubscriptionClosed = ({
  running,
  paused_until,
  open,
}: Pick<Subscription, 'running' | 'paused_until' | 'open'>) => !running && paused_until === null && open === null

const camerasLabel = ({ sku, quantity }: Pick<Subscription, 'sku' | 'quantity'>) =>
  getPlan(sku).per === 'camera' ? formatCameraCount(quantity) : ''

const periodLabel = ({ period }: Pick<Subscription, 'period'>) => (period === 'annual' ? 'annual' : 'monthly')

/** Describes the subscription and its next step, with date and amount, in one sentence. */
export function subscriptionSentence(subscription: Subscription, now: number): string {
  const { status, renews_at, next, channel, open, paused_until } = subscription
  const day = dayWords(renews_at, now)
  const cameras = camerasLabel(subscription)
  const labels =
    channel === 'bonus'
      ? [cameras, 'free']
      : status === 'trial'
        ? ['free trial', cameras]
        : [cameras, periodLabel(subscription)]
  const summary = labels.filter(Boolean).join(', ')
  const head = summary.charAt(0).toUpperCase() + summary.slice(1)
  if (open) return `${head} · ${formatMoney(open.total)} past due since ${dayWords(open.due_at, now)}`
  if (paused_until !== null) return `${head} · resumes automatically on ${dayWords(paused_until, now)}`
  if (status === 'cancelled') return `${head} · ends ${day}, won’t renew`
  if (channel === 'bonus') return `${head} · ends ${day}`
  if (status === 'trial') return `${head} · ends ${day}, no charge`
  if (status === 'past_due') return `${head} · payment failed, ends ${day} unless paid`
  if (channel === 'amazon') return `${head} · renews ${day}, billed through Amazon`
  if (next) return `${head} · renews ${dayWords(next.at, now)} for ${formatMoney(next.total)} with tax`
  return `${head} · free until ${day}`
}

/** Describes the scheduled change at the end of the period; '' if there is none. */
export function scheduledText({ scheduled, renews_at }: Subscription, now: number): string {
  if (!scheduled) return ''
  const cameras = camerasLabel(scheduled)
  const planLabel = [getPlan(scheduled.sku).name, cameras, periodLabel(scheduled)].filter(Boolean).join(', ')
  return `On ${dayWords(renews_at, now)}, your plan changes to ${planLabel}.`
}

/** Explains how to change a plan that was bought through another channel; '' for a web plan. */
export function otherChannelText({ channel }: Pick<Subscription, 'channel'>): string {
  if (channel === 'amazon') return 'You bought this plan on Amazon. Change or cancel it there.'
  return channel === 'bonus' ? 'This bonus ends automatically. There’s nothing to cancel.' : ''
}

/**
 * Describes a cancellation: date, refund and the effect of undoing it. Returns '' unless the subscription is canceled,
 * still runs and was bought on the web.
 */
export function canceledText(subscription: Subscription, now: number): string {
  const { status, leaving, renews_at, running, channel, period, sku } = subscription
  if (status !== 'cancelled' || !running || channel !== 'web') return ''
  const [day, since] = [dayWords(renews_at, now), leaving ? ` on ${dayWords(leaving.at, now)}` : '']
  const method =
    leaving && leaving.to_method > 0
      ? ` ${formatMoney(leaving.to_method)} will be refunded to your payment method.`
      : ''
  const balance =
    leaving && leaving.to_balance > 0 ? ` ${formatMoney(leaving.to_balance)} will be added to your balance.` : ''
  // Without a refund, a monthly plan ends at its renewal time. An annual plan can end earlier.
  const isRenewalDay = period === 'monthly' && method === '' && balance === ''
  const undo = isRenewalDay
    ? ` Undo for free, and your plan will renew on ${day}.`
    : ' Undo for free to keep your plan.'
  const clips =
    getPlan(sku).keepsDays === null
      ? ''
      : ` Otherwise, clips that only this plan keeps will be hidden on ${day} and deleted on ${dayWords(renews_at + HIDDEN_CLIP_DAYS * DAY_MS, now)}.`
  return `Canceled${since}, with no further charges.${method}${balance}${undo}${clips}`
}

/** Describes a pause; '' if the subscription is not paused. */
export function pausedText({ sku, paused_until, renews_at }: Subscription, now: number): string {
  if (paused_until === null) return ''
  const clips = getPlan(sku).keepsDays === null ? '' : '. Meanwhile, you have the free plan’s clip history'
  return `No charges while your plan is paused${clips}. The next charge is on ${dayWords(renews_at, now)}.`
}

/** Describes how many free days were added and how many more can be added. */
export function extensionText({ used, maximum, until }: TrialExtension, now: number): string {
  const ends = `Your free trial ends ${dayWords(until, now)}.`
  if (used >= maximum) return `${ends} You’ve already extended it by the maximum of ${formatDayCount(used)}.`
  const extendedText = used > 0 ? ` You’ve already extended it by ${formatDayCount(used)}.` : ''
  const another = used > 0 ? 'another ' : ''
  return `${ends}${extendedText} You can extend it by up to ${another}${formatDayCount(maximum - used)} for free.`
}

interface TrialExtension {
  /** Free days added so far. */
  readonly used: number
  readonly maximum: number
  /** End of the free days, ms UTC. */
  readonly until: number
}

/** Returns true if a running plan in `all` keeps clips for at least as many days as the given plan. */
export function isRetentionReplaced(
  { sku }: Pick<Subscription, 'sku'>,
  all: readonly Pick<Subscription, 'sku' | 'running'>[],
) {
  const { keepsDays } = getPlan(sku)
  return keepsDays !== null && all.some((other) => other.running && (getPlan(other.sku).keepsDays ?? 0) >= keepsDays)
}

/**
 * Describes an ended plan: its end date, and the clips that return if the user reactivates the plan. `isKept`: true if
 * another plan keeps these clips, so that the text omits them.
 */
export function endedSentence(
  { renews_at, sku }: Pick<Subscription, 'renews_at' | 'sku'>,
  now: number,
  isKept = false,
): string {
  const ended = `Ended ${fullDayLabel(renews_at)}.`
  const deletedAt = renews_at + HIDDEN_CLIP_DAYS * DAY_MS
  if (isKept || getPlan(sku).keepsDays === null) return ended
  if (deletedAt > now)
    return `${ended} Your clips are hidden. Subscribe again before ${dayWords(deletedAt, now)} to restore them.`
  return `${ended} Subscribing again won’t restore deleted clips.`
}

/** Describes what a plan includes; '' for a plan without cameras. */
export function featuresText({ sku }: Pick<Subscription, 'sku'>): string {
  const { keepsDays, search, people } = getPlan(sku)
  if (keepsDays === null) return ''
  const more = [search && 'search', people && 'names for people your cameras recognize'].filter(
    (feature) => feature !== false,
  )
  return `Clips are kept for ${formatDayCount(keepsDays)}.${more.length > 0 ? ` The plan includes ${more.join(' and ')}.` : ''}`
}

/** Describes unused licenses, and their price if removing these licenses saves money. */
export function unusedLicensesText(unused: number, subscription: Subscription): string {
  const { monthlyCents, annualCents } = getPlan(subscription.sku)
  const { period } = subscription.scheduled ?? subscription
  const count = `${formatCount(unused, 'unused license')}.`
  if (!paysPerLicense(subscription)) return count
  const cents = unused * (period === 'annual' ? annualCents : monthlyCents)
  return `${count} Remove ${unused === 1 ? 'it' : 'them'} to save ${formatMoney(cents)} a ${period === 'annual' ? 'year' : 'month'}, before tax.`
}
