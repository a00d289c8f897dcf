import { FREE_RETENTION_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Binding } from '../../../contract/billing/licenses.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { formatCameraCount, formatDayCount } from './counts.ts'
import { formatClock, dayWords } from '../time/date-formats.ts'
import { formatMoney, formatBasisPoints } from '../../../contract/billing/amounts.ts'

/** Copy of `SOFT_DELETE_DAYS` in contract/billing/cancellation.ts, so that pages need not load that module. */
const HIDDEN_CLIP_DAYS = 14

export type AssignmentRefusal = 'no_licence' | 'not_yours' | 'bound'

/** Another plan that covers the camera; null if it is unknown or has ended. */
type CoveringPlan = Pick<Subscription, 'channel' | 'renews_at'> | null

const CHANNEL_LABELS = { amazon: 'A plan bought on Amazon', bonus: 'A bonus plan', web: 'Another of your plans' }

/** Describes the covering plan: `A plan bought on Amazon covers this camera until 30 November.` */
export const formatCoveringPlan = (other: NonNullable<CoveringPlan>, now: number): string =>
  `${CHANNEL_LABELS[other.channel]} covers this camera until ${dayWords(other.renews_at, now)}.`

/** Says that a plan covers the camera and, for a license with a stored date, since which day. */
export function coveredText(binding: Binding | undefined, now: number): string {
  const { plan = null, bound_to, bound_at } = binding ?? {}
  const isLicensed = plan?.by === 'licence' && plan.subscription_id === bound_to
  return isLicensed && bound_at !== undefined ? `Covered since ${dayWords(bound_at, now)}` : 'Covered'
}

export function planFeaturesSentence({ sku }: Pick<Subscription, 'sku'>): string {
  const { name, keepsDays, search } = getPlan(sku)
  return `${name} keeps ${formatDayCount(keepsDays ?? 0)} of clips${search ? ' and lets you search them' : ''}.`
}

/** Explains why a camera got no license, and confirms that the attempt changed nothing. `now` in ms UTC. */
export function assignmentRefusalText(reason: AssignmentRefusal, other: CoveringPlan, now: number): string {
  if (reason === 'no_licence') return 'You have no unused licenses. Nothing changed for this camera.'
  if (reason === 'not_yours')
    return 'This camera isn’t in your home, or another owner’s plan covers it. Your license wasn’t used.'
  return `${other ? formatCoveringPlan(other, now) : 'Another plan covers this camera.'} Your license wasn’t used.`
}

/** Describes what happens to the clips of a camera that loses its license. */
export const unassignedText = (nickname: string): string =>
  `Clips from ${nickname} will be kept for ${formatDayCount(FREE_RETENTION_DAYS)}. Older clips will be hidden, then deleted after ${formatDayCount(HIDDEN_CLIP_DAYS)}.`

/**
 * Describes how long a camera with a license keeps its clips. `isCovered`: false if more licenses are assigned than
 * paid for.
 */
export const assignedText = ({ isCovered, keepsDays }: { isCovered: boolean; keepsDays: number }): string =>
  isCovered
    ? `Clips kept for ${formatDayCount(keepsDays)}`
    : 'Not covered: this plan has more assigned cameras than licenses.'

export const assignedSinceText = (at: number): string =>
  `Covered since ${formatClock(at)}. The timeline and search update immediately.`

export function assignmentResultTitle(covered: number, left: number): string {
  if (left === 0) return covered === 1 ? '1 camera is covered' : `${covered} cameras are covered`
  if (covered === 0) return `No cameras covered, ${left} still selected`
  return `${covered} covered, ${left} still selected`
}

/** Returns the toast of a bulk assignment that failed in part; `text`: from the error catalog. */
export const partialFailureText = (assignedCount: number, cameraCount: number, text: string): string =>
  `${assignedCount} of ${formatCameraCount(cameraCount)} ${assignedCount === 1 ? 'is' : 'are'} covered. ${text}`

/** Returns the note under the `Cover` button; '' unless the free licenses cover some, but not all, selected cameras. */
export function tooFewLicensesText(chosen: number, free: number): string {
  if (chosen <= free || free === 0) return ''
  return `Your ${free === 1 ? 'unused license covers 1 camera' : `${free} unused licenses cover ${free} cameras`}. ${chosen - free === 1 ? 'The other camera stays' : 'The others stay'} selected.`
}

export interface LicensePriceRow {
  readonly title: string
  readonly cents: number
}

/**
 * Returns the rows of the next charge: licenses, tax, and the total with its date. Null if nothing is due, the plan is
 * not active or changes to another plan, or the total is less than the price of the licenses. `unit`: license price in
 * cents; `basisPoints`: tax rate, null if unknown.
 */
export function listLicensePriceRows(
  { sku, status, quantity, period, next, scheduled }: Subscription,
  unit: { readonly monthly: number; readonly annual: number },
  basisPoints: number | null,
  now: number,
): readonly LicensePriceRow[] | null {
  const target = scheduled ?? { sku, quantity, period }
  if (!next || status !== 'active' || target.sku !== sku) return null
  const unitCents = target.period === 'annual' ? unit.annual : unit.monthly
  const amount = target.quantity * unitCents
  const tax = next.total - amount
  if (tax < 0) return null
  const price = `${target.quantity} × ${formatMoney(unitCents)}`
  return [
    { title: `${price} ${target.period === 'annual' ? 'a year' : 'a month'}`, cents: amount },
    { title: basisPoints === null ? 'Sales tax' : `Sales tax, ${formatBasisPoints(basisPoints)}`, cents: tax },
    { title: dayWords(next.at, now), cents: next.total },
  ]
}
