import type { AccountNotification } from '../../../contract/account/notifications.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Binding } from '../../../contract/billing/licenses.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { formatCameraCount, formatDayCount, formatBytes, formatCount } from './counts.ts'
import { formatList } from './lists.ts'
import { paysPerLicense } from '../billing/license-counts.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { subscriptionSentence } from './subscription-status.ts'

/**
 * Describes a plan in one sentence: the features of an active, unpaused camera plan that was bought on the web, and the
 * state of any other subscription.
 */
export function overviewSentence(subscription: Subscription, now: number): string {
  const { status, channel, sku, quantity, period } = subscription
  const { per, keepsDays, search } = getPlan(sku)
  if (status !== 'active' || channel !== 'web' || keepsDays === null || subscription.paused_until !== null)
    return subscriptionSentence(subscription, now)
  const scope = per === 'camera' ? `${formatCameraCount(quantity)}, ${period}` : `All cameras, ${period}`
  return `${scope} · ${formatDayCount(keepsDays)} of clips${search ? ' and search' : ''}`
}

/**
 * Sorts plans for display: by descending tier, and the oldest first within a tier. A plan without a tier counts as tier
 * 0. The page shows the first plan in full.
 */
export function sortByRank<T extends Pick<Subscription, 'sku' | 'since'>>(subscriptions: readonly T[]): T[] {
  const rank = ({ sku }: T) => getPlan(sku).tier ?? 0
  return subscriptions.toSorted((a, b) => rank(b) - rank(a) || a.since - b.since)
}

/**
 * Returns the notifications with the latest declined charge first while an invoice is open. Without an open invoice, the
 * order stays.
 */
export function pinFailedCharge<T extends Pick<AccountNotification, 'kind'>>(
  notifications: readonly T[],
  isPaymentDue: boolean,
): readonly T[] {
  const declined = isPaymentDue ? notifications.find(({ kind }) => kind === 'charge_failed') : undefined
  return declined ? [declined, ...notifications.filter((notification) => notification !== declined)] : notifications
}

/**
 * Returns two sentences: the number of unused licenses, and the advice to use them. If removing them saves money, the
 * second sentence also gives the saving.
 */
export function formatUnusedLicenses(unused: number, subscription: Subscription): [string, string] {
  const { monthlyCents, annualCents } = getPlan(subscription.sku)
  const { period } = subscription.scheduled ?? subscription
  const sentence = `${formatCount(unused, 'unused license')}.`
  if (!paysPerLicense(subscription)) return [sentence, `Assign ${unused === 1 ? 'it to a camera' : 'them to cameras'}.`]
  const cents = unused * (period === 'annual' ? annualCents : monthlyCents)
  const savingText = `save ${formatMoney(cents)} a ${period === 'annual' ? 'year' : 'month'}`
  return [
    sentence,
    `Assign ${unused === 1 ? 'it' : 'them'}, or remove ${unused === 1 ? 'it' : 'them'} to ${savingText}.`,
  ]
}

/** Describes the plan of a camera that another account shares. */
export function describeSharedPlan(binding: Binding | undefined): string {
  if (!binding) return ''
  const { plan, keeps_days } = binding
  return plan === null
    ? `Free, ${formatDayCount(keeps_days)}`
    : `Owner’s ${getPlan(plan.sku).name}, ${formatDayCount(keeps_days)}`
}

/** Text of a running export. `hasReceivedPart`: true if this browser has already received a part of the export. */
export const exportProgressText = (progress: string, hasReceivedPart: boolean): string =>
  hasReceivedPart
    ? `${progress}. You can leave this page without losing the downloaded part. To resume, return here and press Continue.`
    : `${progress}.`

/** Text after each archive of an export except the last; `rest`: number of remaining archives, at least one. */
export const archiveSavedText = (part: number, rest: number): string =>
  `File ${part} saved. ${formatCount(rest, 'file')} left.`

interface ExportContents {
  readonly clips: number
  readonly events: number
  readonly bills: number
  readonly bytes: number
  readonly about: boolean
  readonly archives: number
}

/** Summarizes an export: `112 clips, an event list, and 6 invoices (1 file, 0.9 GB).`; '' if the export is empty. */
export function exportSummary({ clips, events, bills, bytes, about, archives }: ExportContents): string {
  const clipParts =
    clips > 0 ? [formatCount(clips, 'clip'), clips === events ? 'an event list' : 'a list of all events'] : []
  const contents = [...clipParts, ...(clips === 0 && events > 0 ? ['A list of all events'] : [])]
  if (bills > 0) contents.push(formatCount(bills, 'invoice'))
  if (contents.length === 0) return ''
  const size = clips > 0 ? `, ${about ? 'about ' : ''}${formatBytes(bytes)}` : ''
  return `${formatList(contents)} (${formatCount(archives, 'file')}${size}).`
}
