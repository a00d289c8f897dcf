import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { formatDayCount, formatCameraCount } from './counts.ts'
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
  if (status === 'past_due') return { text: subscription.running ? 'Not paid' : 'Stopped', tone: 'error' }
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
  const isFree = channel === 'bonus' || status === 'trial'
  const summary = [camerasLabel(subscription), isFree ? 'free' : periodLabel(subscription)].filter(Boolean).join(', ')
  const head = summary.charAt(0).toUpperCase() + summary.slice(1)
  if (open) return `${head} · ${formatMoney(open.total)} was due on ${dayWords(open.due_at, now)}`
  if (paused_until !== null) return `${head} · continues automatically on ${dayWords(paused_until, now)}`
  if (status === 'cancelled') return `${head} · runs until ${day} and is not renewed`
  if (channel === 'bonus') return `${head} · ends ${day} automatically`
  if (status === 'trial') return `${head} · ends ${day} automatically, nothing is charged`
  if (status === 'past_due') return `${head} · a payment did not go through, ends ${day} unless it is paid`
  if (channel === 'amazon') return `${head} · renews ${day}, paid through Amazon`
  if (next) return `${head} · renews ${dayWords(next.at, now)} for ${formatMoney(next.total)} with tax`
  return `${head} · free until ${day}`
}

/** Describes the scheduled change at the end of the period; '' if there is none. */
export function scheduledText({ scheduled, renews_at }: Subscription, now: number): string {
  if (!scheduled) return ''
  const cameras = camerasLabel(scheduled)
  const planLabel = [getPlan(scheduled.sku).name, cameras, periodLabel(scheduled)].filter(Boolean).join(', ')
  return `From ${dayWords(renews_at, now)} on it is ${planLabel}.`
}

/** Explains how to change a plan that was bought through another channel; '' for a web plan. */
export function otherChannelText({ channel }: Pick<Subscription, 'channel'>): string {
  if (channel === 'amazon') return 'It was bought in the Amazon app. Change or cancel it there.'
  return channel === 'bonus' ? 'It is a bonus. It ends automatically, and there is nothing to cancel.' : ''
}

/**
 * Describes a cancellation: date, refund and the effect of undoing it. Returns '' unless the subscription is canceled,
 * still runs and was bought on the web.
 */
export function canceledText(subscription: Subscription, now: number): string {
  const { status, leaving, renews_at, running, channel } = subscription
  if (status !== 'cancelled' || !running || channel !== 'web') return ''
  const [day, since] = [dayWords(renews_at, now), leaving ? ` by you on ${dayWords(leaving.at, now)}` : '']
  const method =
    leaving && leaving.to_method > 0 ? ` ${formatMoney(leaving.to_method)} goes back to where it came from.` : ''
  const balance = leaving && leaving.to_balance > 0 ? ` ${formatMoney(leaving.to_balance)} goes to your balance.` : ''
  return `Cancelled${since}. It runs until ${day}, with no charge after.${method}${balance} Undo costs nothing: it continues as if nothing happened.`
}

/** Describes a pause; '' if the subscription is not paused. */
export function pausedText({ sku, paused_until, renews_at }: Subscription, now: number): string {
  if (paused_until === null) return ''
  const clips = getPlan(sku).keepsDays === null ? '' : ', and your cameras keep clips as on Free'
  return `Nothing is charged until then${clips}. The next charge is on ${dayWords(renews_at, now)}.`
}

/** Describes how many free days were added and how many more can be added. */
export function extensionText({ used, maximum, until }: TrialExtension, now: number): string {
  const ends = `Your free days end ${dayWords(until, now)}.`
  if (used >= maximum)
    return `${ends} They were made longer by ${formatDayCount(used)}, which is as much as they can be.`
  const extendedText = used > 0 ? ` They were made longer by ${formatDayCount(used)} already.` : ''
  return `${ends}${extendedText} You can add ${formatDayCount(maximum - used)}, free of charge.`
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
    return `${ended} Its clips are hidden, and come back if you turn it on again before ${dayWords(deletedAt, now)}.`
  return `${ended} Turning it on again starts fresh: clips that are gone do not come back.`
}

/** Describes what a plan includes; '' for a plan without cameras. */
export function featuresText({ sku }: Pick<Subscription, 'sku'>): string {
  const { keepsDays, search, people } = getPlan(sku)
  if (keepsDays === null) return ''
  const more = [
    search && 'search',
    people && 'people by the names you give them where a camera recognizes them',
  ].filter((feature) => feature !== false)
  return `Clips are kept for ${formatDayCount(keepsDays)}${more.length > 0 ? `, with ${more.join(' and ')}` : ''}.`
}

/** Describes unused licenses, and their price if removing these licenses saves money. */
export function unusedLicensesText(unused: number, subscription: Subscription): string {
  const { monthlyCents, annualCents } = getPlan(subscription.sku)
  const { period } = subscription.scheduled ?? subscription
  const count = unused === 1 ? 'One licence covers no camera.' : `${unused} licences cover no camera.`
  if (!paysPerLicense(subscription)) return count
  const cents = unused * (period === 'annual' ? annualCents : monthlyCents)
  return `${count} Without ${unused === 1 ? 'it' : 'them'} you pay ${formatMoney(cents)} less each ${period === 'annual' ? 'year' : 'month'}, before tax.`
}
