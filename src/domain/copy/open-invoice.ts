import { formatMoney } from '../../../contract/billing/amounts.ts'
import { SOFT_DELETE_DAYS } from '../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Invoice, PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { dayWords, shortDayLabel, shortDayWithoutYearLabel } from '../time/date-formats.ts'
import { formatDayList } from './day-lists.ts'
import { methodName } from './payment-methods.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Describes the tax and the period of an unpaid charge. `invoice`: null if it has not loaded. */
export function amountDueText(invoice: Pick<Invoice, 'lines' | 'subtotal' | 'tax'> | null): string {
  const [line] = invoice?.lines ?? []
  if (!invoice || !line) return 'Includes tax'
  const period = `${shortDayWithoutYearLabel(line.from)} to ${shortDayWithoutYearLabel(line.to)}`
  return `${formatMoney(invoice.subtotal)} plus ${formatMoney(invoice.tax)} tax, for ${period}`
}

type OpenInvoice = NonNullable<Subscription['open']>

export type OpenInvoiceMethod = OpenInvoice['method']

/** Names the payment method: `Visa ·· 4242`; '' for none. */
export const openInvoiceMethodName = (method: OpenInvoiceMethod): string =>
  method ? methodName(method as PaymentMethod) : ''

export const failureReasonText = ({ code }: OpenInvoice): string =>
  findCatalogEntry(code)?.text ?? 'The last payment failed.'

const COUNT_WORDS = ['', 'once', 'twice'] as const
const formatTimes = (count: number) => COUNT_WORDS[count] ?? `${count} times`

/** Describes the attempts with their dates or, if the ledger has not recorded them all, with their number. */
const describeAttempts = ({ tries, tried_at, due_at }: OpenInvoice, methodLabel: string, now: number): string =>
  tried_at && tried_at.length > 0
    ? `We tried to charge ${methodLabel} on ${formatDayList(tried_at, now)}.`
    : `We’ve tried to charge ${methodLabel} ${formatTimes(tries)} since ${dayWords(due_at, now)}.`

/** Names the date of the last decline, if the ledger has recorded it. */
export function declinedText({ tried_at }: OpenInvoice, now: number): string {
  const last = tried_at?.at(-1)
  return last === undefined ? 'Declined last time' : `Declined ${shortDayLabel(last, now)}`
}

type PastDuePlan = Pick<Subscription, 'sku' | 'running' | 'open'>

const keepsClips = (sku: Subscription['sku']) => getPlan(sku).keepsDays !== null

/**
 * Describes the payment attempts so far and how long the plan continues; '' without an open invoice. `now`: time of the
 * plan's test clock, ms UTC.
 */
export function retryText({ sku, running, open }: PastDuePlan, now: number): string {
  if (!open) return ''
  const methodLabel = openInvoiceMethodName(open.method) || 'your payment method'
  const last = open.next_tries.at(-1)
  const attemptsText = open.tries === 0 ? '' : `${describeAttempts(open, methodLabel, now)} `
  if (!running && !keepsClips(sku)) return `${attemptsText}Your plan has stopped. Pay to restart it.`
  if (!running)
    return `${attemptsText}Your plan has stopped, and older clips are hidden. Pay to restart your plan and restore the clips.`
  return last === undefined
    ? attemptsText.trim()
    : `${attemptsText}Your plan stays active until ${dayWords(last, now)}.`
}

/** Names the next automatic attempt and the method that it charges; '' if no attempt follows. */
export function nextTryText({ next_tries }: OpenInvoice, defaultMethodName: string, now: number): string {
  const [next] = next_tries
  return next === undefined ? '' : `If you don’t pay now, we’ll try ${defaultMethodName} on ${dayWords(next, now)}.`
}

export interface DunningDate {
  readonly kind: 'now' | 'next' | 'last' | 'gone'
  readonly title: string
  readonly day: string
  readonly note: string
}

/**
 * Lists the dates while an invoice is unpaid: today and, if the plan still runs, the next retry and the last retry. For
 * plans that keep clips, the date when the clips are deleted follows. Returns an empty list without an open invoice.
 */
export function listDunningDates({ sku, running, open, renews_at }: Subscription, now: number): DunningDate[] {
  if (!open) return []
  const day = (time: number) => dayWords(time, now)
  const last = open.next_tries.at(-1) ?? renews_at
  const [next, then] = open.next_tries
  const deletedAt = last + SOFT_DELETE_DAYS * DAY_MS
  const stopped = keepsClips(sku) ? 'Stopped, clips hidden' : 'Stopped'
  const hasLaterRetry = next !== undefined && next < last
  return [
    { kind: 'now', title: 'Today', day: day(now), note: running ? 'Still active' : stopped },
    ...(running && hasLaterRetry
      ? [
          {
            ...({ kind: 'next', title: 'Next attempt', day: day(next) } as const),
            note: then === undefined || then === last ? 'Then one last attempt' : `Then again on ${day(then)}`,
          },
        ]
      : []),
    ...(running
      ? [{ kind: 'last', title: 'Last attempt', day: day(last), note: 'Plan stops if unpaid' } as const]
      : []),
    ...(keepsClips(sku)
      ? [{ kind: 'gone', title: 'Clips deleted', day: day(deletedAt), note: 'Pay before then to keep them' } as const]
      : []),
  ]
}
