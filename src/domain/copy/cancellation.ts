import {
  CANCEL_REASONS,
  type CancelReason,
  SOFT_DELETE_DAYS,
  type CancellationPreview,
  type CancellationOption,
} from '../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { formatCameraCount, formatClipCount, formatDayCount, formatCount } from './counts.ts'
import { dayWords, shortDayWithoutYearLabel } from '../time/date-formats.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { openInvoiceMethodName } from './open-invoice.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export const CANCEL_REASON_LABELS: Readonly<Record<CancelReason, string>> = {
  price: 'Too expensive',
  unused: 'I don’t use it enough',
  missing: 'It’s missing a feature I need',
  quality: 'It didn’t work well enough',
  other_service: 'I’m using something else',
  moving: 'I’m moving',
}

/** Returns the cancellation reason that a stored text names; null for any other text. */
export const parseCancelReason = (text: string): CancelReason | null =>
  CANCEL_REASONS.find((reason) => reason === text) ?? null

export const clampStep = (step: number): 1 | 2 | 3 | 4 => {
  const whole = Number.isFinite(step) ? Math.round(step) : 1
  return Math.min(4, Math.max(1, whole)) as 1 | 2 | 3 | 4
}

export function endDateText({ way, ends_at, total }: CancellationOption, now: number): string {
  const day = dayWords(ends_at, now)
  if (way === 'now' && total === 0) return 'Ends immediately. You won’t be charged for the open invoice.'
  if (way === 'now') return 'Ends immediately with a full refund.'
  const explanation = way === 'month_end' ? 'the end of the current month' : 'the end of your paid period'
  return `Active until ${day}, ${explanation}. You can undo this anytime before then.`
}

export interface RefundText {
  readonly title: string
  readonly note: string
}

export function refundText(option: CancellationOption, now: number): RefundText {
  const { to_method, to_balance, from_balance, months, subtotal, tax, lines } = option
  const ends = lines[0]?.to ?? option.ends_at
  const until = dayWords(option.ends_at, now)
  if (to_method + to_balance === 0)
    return {
      title: 'No further charges, and no refund',
      note: option.way === 'now' ? 'The open invoice will be voided.' : `Your paid period ends on ${until}.`,
    }
  const parts = [
    ...(to_method > 0
      ? [
          `${formatMoney(to_method)} will be refunded to ${openInvoiceMethodName(option.method) || 'your payment method'}`,
        ]
      : []),
    ...(to_balance > 0 ? [`${formatMoney(to_balance)} will be added to your balance`] : []),
  ]
  const sums = `${formatMoney(Math.abs(subtotal))} plus ${formatMoney(Math.abs(tax))} tax`
  const reasonText =
    option.way === 'now' ? 'Everything you paid' : `${formatUnusedMonths(months)}, until ${dayWords(ends, now)}`
  const sent = [
    to_method > 0 ? 'We’ll send the refund' : 'We’ll add the credit',
    option.way === 'now' ? 'immediately.' : 'when the plan ends.',
  ].join(' ')
  const balance = from_balance > 0 ? ` ${formatMoney(from_balance)} will be deducted from your balance.` : ''
  return { title: parts.join(' and '), note: `${reasonText}: ${sums}.${balance} ${sent}` }
}

const formatUnusedMonths = (count: number) => formatCount(count, 'unused month')

export interface ClipBar {
  readonly when: string
  readonly days: string
  readonly kept: number
  /** `kept` as a share of all clips, 0 to 1. */
  readonly share: number
  readonly rest: '' | 'hidden' | 'deleted'
  readonly lost: number
}

/**
 * Returns three rows of clip counts: until the plan ends, after its end, and after the hidden clips are deleted.
 * Returns no rows without clips.
 */
export function clipBars(
  { shown: visibleClips, shown_days, kept: remainingClips, kept_days }: CancellationPreview['clips'],
  ends: number,
  now: number,
): ClipBar[] {
  if (visibleClips === 0) return []
  const [day, share, lost] = [shortDayWithoutYearLabel, remainingClips / visibleClips, visibleClips - remainingClips]
  const reducedRetention = `${formatDayCount(kept_days)} of clips${kept_days <= 1 ? ' (Free)' : ''}`
  const first = ends <= now ? 'Now' : `Until ${day(ends)}`
  return [
    { when: first, days: `${formatDayCount(shown_days)} of clips`, kept: visibleClips, share: 1, rest: '', lost: 0 },
    { when: `From ${day(ends)}`, days: reducedRetention, kept: remainingClips, share, rest: 'hidden', lost },
    {
      when: `From ${day(getClipDeletionTime(ends))}`,
      days: reducedRetention,
      kept: remainingClips,
      share,
      rest: 'deleted',
      lost,
    },
  ]
}

/** Returns the deletion time, ms UTC, of clips that become hidden at `ends`. */
export const getClipDeletionTime = (ends: number): number => ends + SOFT_DELETE_DAYS * DAY_MS

export function clipBarsNote(
  { shown: visibleClips, shown_days, kept: remainingClips, kept_days }: CancellationPreview['clips'],
  ends: number,
  now: number,
): string {
  if (visibleClips === 0) return ''
  if (visibleClips === remainingClips && kept_days >= shown_days)
    return 'Counts are as of today. No clips will be hidden or deleted. Another of your plans keeps them just as long.'
  if (visibleClips === remainingClips) {
    const last =
      kept_days <= 1
        ? 'the last day, so the free plan keeps them'
        : `the last ${formatDayCount(kept_days)}, so none are old enough to be hidden`
    const then =
      ends > now
        ? ` On ${dayWords(ends, now)}, clips older than ${formatDayCount(Math.max(1, kept_days))} will be hidden.`
        : ''
    return `Counts are as of today. All your clips are from ${last}.${then}`
  }
  return `Counts are as of today. Subscribe again before ${dayWords(getClipDeletionTime(ends), now)} to restore hidden clips.`
}

/** Summarizes the data export. `size`: size of all clips; '' if unknown. */
export function exportText(
  { shown: visibleClips, bills }: Pick<CancellationPreview['clips'], 'shown' | 'bills'>,
  size: string,
): string {
  const all = [visibleClips > 0 && formatClipCount(visibleClips), 'an event list', bills > 0 && 'all invoices', size]
  return all.filter(Boolean).join(', ')
}

type Offer = NonNullable<CancellationPreview['offers']['fewer']>

const formatOfferPrice = ({ cents, period }: Offer) =>
  `${formatMoney(cents)} a ${period === 'annual' ? 'year' : 'month'}`

export const fewerCamerasText = (offer: Offer): string =>
  `${getPlan(offer.sku).name} for ${formatCameraCount(offer.quantity)}: ${formatOfferPrice(offer)}, ${formatDayCount(offer.keeps_days)} of clips.`

export function formatPlanOffer(offer: Offer, sku: Subscription['sku']): string {
  const { name, per } = getPlan(offer.sku)
  const title = per === 'camera' ? `${name} for ${formatCameraCount(offer.quantity)}` : name
  if (offer.sku === sku) return `${title}, billed monthly: ${formatMoney(offer.cents)}. Cancel anytime.`
  return `${title}: ${formatOfferPrice(offer)}, ${formatDayCount(offer.keeps_days)} of clips.`
}

/** Returns the path of a plan page with the offer selected. */
export function getOfferPath({ sku, period, quantity }: Offer): string {
  const segment = getPlan(sku).segment ?? getPlan('unlimited').segment ?? 'choose'
  const camerasParam = getPlan(sku).per === 'camera' ? `&cameras=${quantity}` : ''
  return `/account/products/${segment}?period=${period}&plan=${sku}${camerasParam}`
}

/** Adds calendar months to `time` (ms UTC), in UTC. If the resulting month has no such day, returns its last day. */
export function addMonths(time: number, months: number): number {
  const [date, day] = [new Date(time), new Date(time).getUTCDate()]
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(day, last))
}

export function pauseText(months: number, { renews_at }: Pick<Subscription, 'renews_at'>, now: number): string {
  const resumesAt = addMonths(now, months)
  return `Until ${dayWords(resumesAt, now)}. The next charge moves from ${dayWords(renews_at, now)} to ${dayWords(renews_at + resumesAt - now, now)}.`
}

/** Returns the label of a cancellation option, for a choice between several options. */
export function cancellationOptionTitle({ way, ends_at }: CancellationOption, now: number): string {
  const day = dayWords(ends_at, now)
  if (way === 'now') return 'End now'
  return way === 'month_end' ? `End on ${day}, when the current month ends` : `Keep until ${day}`
}

export const formatPauseLength = (months: number): string => formatCount(months, 'month')

interface CancellationResult {
  readonly running: boolean
  /** ms UTC */
  readonly ends_at: number
  /** Refund to the original payment method in cents; 0 for no refund. */
  readonly to_method: number
  readonly to_balance: number
}

export function cancellationResultText({ running, ends_at, to_method, to_balance }: CancellationResult, now: number) {
  const day = dayWords(ends_at, now)
  const refundParts = [
    to_method > 0 && `${formatMoney(to_method)} will be refunded to your payment method`,
    to_balance > 0 && `${formatMoney(to_balance)} will be added to your balance`,
  ].filter(Boolean)
  return {
    until: running ? `Active until ${day}, with no further charges.` : 'Ended. You won’t be charged again.',
    back: refundParts.length > 0 ? `${refundParts.join(' and ')}.` : 'No refund, and no further charges.',
    next: running ? `Changed your mind? Undo for free until ${day}.` : 'You can restart your plan on this page.',
  }
}
