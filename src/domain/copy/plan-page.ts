import { HOME_MONITORING, SAMPLE_NOTE } from '../../../contract/brand.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Quote } from '../../../contract/billing/purchase.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { formatCameraCount } from './counts.ts'
import { dayWords } from '../time/date-formats.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'

interface PlanSelection {
  readonly sku: Sku
  readonly period: Period | ''
  readonly quantity: number
}

/** Formats quantity and period: `3 cameras, monthly`. Omits the quantity if the plan covers all cameras. */
export function selectionLabel({ sku, period, quantity }: PlanSelection): string {
  return [getPlan(sku).per === 'camera' && formatCameraCount(quantity), period].filter(Boolean).join(', ')
}

/** Returns the cameras and the billing of a plan as the end of a sentence: `2 cameras, billed monthly`. */
const billedSelectionText = ({ period, ...selection }: PlanSelection): string =>
  [selectionLabel({ ...selection, period: '' }), `billed ${period === 'annual' ? 'annually' : 'monthly'}`]
    .filter(Boolean)
    .join(', ')

export function planTitle(own: Pick<Subscription, 'sku'> | null, sku: Sku): string {
  const { name } = getPlan(sku)
  if (own === null) return name
  return own.sku === sku ? `Change ${name}` : `Switch to ${name}`
}

const PLAN_SUMMARIES: Readonly<Record<Sku, string>> = {
  free: '',
  'cam-ai': `${getPlan('cam-ai').keepsDays} days of clips and search on cameras you choose`,
  unlimited: `${getPlan('unlimited').keepsDays} days of clips and search on all your cameras, up to 99`,
  pro: `${getPlan('pro').keepsDays} days of clips and search on all your cameras, up to 99`,
  hms: HOME_MONITORING?.does ?? SAMPLE_NOTE,
}

/** Returns the line under the title: a summary of the plan, or the change from the current selection to the new one. */
export function formatPlanSubtitle(own: Subscription | null, chosen: PlanSelection): string {
  const isSamePlan = own?.sku === chosen.sku && chosen.period !== ''
  if (!isSamePlan || (own.period === chosen.period && own.quantity === chosen.quantity))
    return PLAN_SUMMARIES[chosen.sku]
  return `Now: ${selectionLabel(own)}. New: ${selectionLabel(chosen)}.`
}

/**
 * Returns the path of the page of a plan, with the billing period preselected. A plan without its own page uses the
 * page of `unlimited`, with the plan preselected too. The selection is in the URL, so it survives the sign-in.
 */
export function getPlanPath(sku: Sku, period: Period): string {
  const { segment } = getPlan(sku)
  const [page, option] = segment === null ? [getPlan('unlimited').segment, `&plan=${sku}`] : [segment, '']
  return `/account/products/${page}?period=${period}${option}`
}

interface OwnPlanText {
  readonly have: string
  readonly more: string
  /** Effect of the purchase, with a leading space; '' without terms. */
  readonly change: string
}

/** Terms of a quote that determine when a plan change starts. */
export type ChangeTerms = Pick<Quote, 'is_later' | 'is_undo'>

const NEXT_STEP_TEXTS = {
  active: 'Renews on',
  cancelled: 'Ends on',
  past_due: 'Your last payment failed. The plan ends on',
} as const

/**
 * Describes the current plan. `have` is its name; `more` is the rest of the sentence: period, next date and scheduled
 * change. `terms`: terms of the purchase; null if they are not known.
 */
export function ownPlanText(
  own: Subscription,
  chosen: PlanSelection,
  terms: ChangeTerms | null,
  now: number,
): OwnPlanText {
  const { name } = getPlan(own.sku)
  const nextPlanName = getPlan(chosen.sku).name
  const until = dayWords(own.renews_at, now)
  const words = billedSelectionText(own)
  const state =
    own.status === 'trial'
      ? `free until ${until}.`
      : `${words}. ${NEXT_STEP_TEXTS[own.status]} ${until}${own.status === 'past_due' ? ' unless you pay' : ''}.`
  const scheduled = own.scheduled
    ? ` Your plan then changes to ${getPlan(own.scheduled.sku).name}, ${selectionLabel(own.scheduled)}, unless you choose something else.`
    : ''
  return {
    have: name,
    more: state + scheduled,
    change: terms ? describePlanChange(own, chosen, terms, nextPlanName, until) : '',
  }
}

function describePlanChange(
  own: Subscription,
  { sku }: PlanSelection,
  terms: ChangeTerms,
  nextPlanName: string,
  until: string,
): string {
  if (terms.is_undo) return ' This cancels the scheduled change. Nothing is due today.'
  if (terms.is_later) return ` This change takes effect on ${until}. Nothing is due today.`
  if (own.status === 'trial') return ' Your free trial ends when this plan starts.'
  // An unpaid plan has no unused time to credit.
  const isUnpaid = own.status === 'past_due'
  if (sku !== own.sku)
    return ` Your current plan ends when ${nextPlanName} starts${isUnpaid ? '' : '. We’ll credit your unused time toward the price'}.`
  return !isUnpaid ? ' We’ll credit your unused time toward the price.' : ''
}

/**
 * Describes how much less Unlimited costs than the chosen number of Camera AI licenses; '' if it does not cost less.
 * `cents`: prices for the chosen period.
 */
export function unlimitedSavingText(
  cents: { readonly license: number; readonly unlimited: number },
  quantity: number,
  period: Period,
  currency: string,
): string {
  const savingCents = cents.license * quantity - cents.unlimited
  if (!(savingCents > 0)) return ''
  const unit = period === 'annual' ? 'year' : 'month'
  return `${getPlan('unlimited').name} costs ${formatMoney(savingCents, currency)} less a ${unit}, before tax, and covers all your cameras.`
}

/** Describes how much annual billing saves compared with twelve monthly charges; '' if annual billing saves nothing. */
export function savingText(monthly: number, annual: number, per: 'camera' | 'home', currency: string): string {
  const savingCents = monthly * 12 - annual
  if (savingCents <= 0) return ''
  return `Save ${formatMoney(savingCents, currency)} a year${per === 'camera' ? ' per camera' : ''}`
}

/** Formats a price with its scope: `$9.99 for all cameras`. */
export function priceLabel(cents: number, sku: Sku, currency: string): string {
  const { per, tier } = getPlan(sku)
  return `${formatMoney(cents, currency)} ${per === 'camera' ? 'per camera' : tier === null ? 'per home' : 'for all cameras'}`
}

export function formatOtherChannelPlan(
  { sku, quantity, period, channel, renews_at }: Subscription,
  now: number,
): Omit<OwnPlanText, 'change'> {
  const selection = { sku, quantity, period }
  const words = channel === 'bonus' ? selectionLabel({ ...selection, period: '' }) : billedSelectionText(selection)
  const name = getPlan(sku).name
  const have = channel === 'bonus' ? `a bonus plan, ${name}` : `${name} from Amazon`
  const until = dayWords(renews_at, now)
  const more =
    channel === 'bonus'
      ? `free until ${until}. This bonus ends automatically.`
      : 'Change or cancel this plan on Amazon.'
  return { have, more: [words, more].filter(Boolean).join(channel === 'bonus' ? ', ' : '. ') }
}
