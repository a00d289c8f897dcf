import { describe, expect, test, vi } from 'vitest'
import type { CancellationOption } from '../../../../contract/billing/cancellation.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  refundText,
  clipBarsNote,
  clipBars,
  cancellationResultText,
  fewerCamerasText,
  formatPlanOffer,
  pauseText,
  clampStep,
  exportText,
  endDateText,
  cancellationOptionTitle,
  getOfferPath,
} from '../../../../src/domain/copy/cancellation.ts'
import {
  declinedText,
  listDunningDates,
  failureReasonText,
  retryText,
} from '../../../../src/domain/copy/open-invoice.ts'
import { pausedText, subscriptionSentence, statusLabel } from '../../../../src/domain/copy/subscription-status.ts'
import { findCatalogEntry } from '../../../../contract/wire/error-codes.ts'
import { areDistinct, extractFacts, statesNoCharge, announcesRefund } from '../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const day = (month: number, date: number, year = 2026) => Date.UTC(year, month - 1, date, 9, 41)
const VISA_CARD = { brand: 'visa', last_four: '4242', name: '' }
const createCancellationOption = (change: Partial<CancellationOption> = {}): CancellationOption => ({
  way: 'end',
  ends_at: day(12, 8),
  lines: [],
  subtotal: 0,
  tax: 0,
  total: 0,
  to_method: 0,
  to_balance: 0,
  from_balance: 0,
  method: null,
  months: 0,
  ...change,
})
const UNUSED_LINE = {
  ...({ kind: 'unused', sku: 'unlimited', period: 'annual', quantity: 1, unit: 9999, amount: -5000 } as const),
  tax: -413,
  from: day(12, 8),
  to: day(6, 8, 2027),
}
const back = { lines: [UNUSED_LINE], subtotal: -5000, tax: -413, total: -5413, to_method: 5413, method: VISA_CARD }
const SIX_MONTH_REFUND = createCancellationOption({ way: 'month_end', months: 6, ...back })
const createSubscription = (change: Partial<Subscription> = {}): Subscription => ({
  ...({ subscription_id: 's1', sku: 'unlimited', status: 'active', quantity: 1, period: 'monthly' } as const),
  ...({ billing_provider: 'card', renews_at: day(12, 12), running: true, channel: 'web', revision: 1 } as const),
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  ...change,
})
const OPEN_INVOICE = {
  total: 1081,
  due_at: day(11, 20),
  tries: 2,
  next_tries: [day(11, 23), day(11, 27), day(12, 4)],
  code: '4221',
  method: { ...VISA_CARD, last_four: '4221' },
}
const UNPAID_SUBSCRIPTION = createSubscription({ status: 'past_due', renews_at: day(12, 4), open: OPEN_INVOICE })

test('OPEN-87 any stored number is clamped to one of the four steps', () => {
  expect([1, 2, 3, 4, 0, -7, 5, 99, 2.4, NaN, Infinity].map(clampStep)).toEqual([1, 2, 3, 4, 1, 1, 4, 4, 2, 1, 1])
})

describe('cancellation effects', () => {
  test('are described by their kind and date', () => {
    const [paid, unpaid] = [createCancellationOption({ way: 'now', ...back }), createCancellationOption({ way: 'now' })]
    expect(
      [SIX_MONTH_REFUND, createCancellationOption(), paid, unpaid].map((option) =>
        extractFacts(endDateText(option, NOW)),
      ),
    ).toEqual([['8 Dec'], ['8 Dec'], [], []])
    expect(
      [SIX_MONTH_REFUND, createCancellationOption(), paid, unpaid].map((option) =>
        announcesRefund(endDateText(option, NOW)),
      ),
    ).toEqual([false, false, true, false])
    expect(statesNoCharge(endDateText(unpaid, NOW))).toBe(true)
    const titles = [SIX_MONTH_REFUND, createCancellationOption(), unpaid].map((option) =>
      cancellationOptionTitle(option, NOW),
    )
    expect(titles.map((title) => extractFacts(title))).toEqual([['8 Dec'], ['8 Dec'], []])
    expect([
      areDistinct(titles),
      areDistinct([SIX_MONTH_REFUND, createCancellationOption()].map((option) => endDateText(option, NOW))),
    ]).toEqual([true, true])
  })

  test('state the refund to the cent and its destination', () => {
    const describeRefund = (option: CancellationOption) => {
      const { title, note } = refundText(option, NOW)
      return [extractFacts(title, 'balance'), extractFacts(note), announcesRefund(title)]
    }
    const sums = ['$50.00', '$4.13']
    const months = ['6', '8 Jun 2027', ...sums]
    expect(describeRefund(SIX_MONTH_REFUND)).toEqual([['$54.13', 'Visa ·· 4242'], months, true])
    expect(describeRefund({ ...SIX_MONTH_REFUND, to_method: 5000, to_balance: 413 })[0]).toEqual([
      '$50.00',
      'Visa ·· 4242',
      '$4.13',
      'balance',
    ])
    expect(describeRefund({ ...SIX_MONTH_REFUND, to_method: 0, to_balance: 5413 }).slice(0, 2)).toEqual([
      ['$54.13', 'balance'],
      months,
    ])
    expect(describeRefund(createCancellationOption({ way: 'now', ...back }))[1]).toEqual(sums)
    expect(describeRefund(createCancellationOption())).toEqual([[], ['8 Dec'], false])
    expect(statesNoCharge(refundText(createCancellationOption(), NOW).title)).toBe(true)
  })

  test('state how many clips are kept, hidden and deleted, and when', () => {
    const clips = { shown: 430, shown_days: 30, kept: 6, kept_days: 1, bytes: 3.4e9, bills: 4 }
    const bars = clipBars(clips, day(12, 8), NOW)
    expect(
      bars.map(({ when, days, kept: clipCount, rest, lost }) => [
        extractFacts(`${when} ${days}`),
        clipCount,
        rest,
        lost,
      ]),
    ).toEqual([
      [['8 Dec', '30 days'], 430, '', 0],
      [['8 Dec', '1 day'], 6, 'hidden', 424],
      [['22 Dec', '1 day'], 6, 'deleted', 424],
    ])
    expect(bars[1]?.share).toBeCloseTo(6 / 430)
    const all = { ...clips, kept: 430 }
    const notes = [
      clipBarsNote(clips, day(12, 8), NOW),
      clipBarsNote({ ...all, kept_days: 30 }, day(12, 8), NOW),
      clipBarsNote(all, day(12, 8), NOW),
      clipBarsNote({ ...all, kept_days: 14 }, NOW, NOW),
    ]
    expect(notes.map((note) => extractFacts(note, 'Free'))).toEqual([
      ['22 Dec'],
      [],
      ['Free', '8 Dec', '1 day'],
      ['14 days'],
    ])
    expect(clipBars({ ...clips, shown: 0, kept: 0 }, day(12, 8), NOW)).toEqual([])
    expect(extractFacts(exportText(clips, '3.4 GB'))).toEqual(['430', '3.4 GB'])
    expect(extractFacts(exportText(clips, ''))).toEqual(['430'])
  })

  test('offer alternatives with their price and a link that preselects them', () => {
    const fewer = { sku: 'cam-ai', period: 'annual', quantity: 2, cents: 5998, keeps_days: 14 } as const
    const month = { sku: 'unlimited', period: 'monthly', quantity: 1, cents: 999, keeps_days: 30 } as const
    const texts = [fewerCamerasText(fewer), formatPlanOffer(month, 'unlimited'), formatPlanOffer(month, 'pro')]
    expect(texts.map((text) => extractFacts(text, 'year', 'month', 'monthly'))).toEqual([
      ['Camera AI', '2', '$59.98', 'year', '14 days'],
      ['Unlimited Cameras', 'monthly', '$9.99'],
      ['Unlimited Cameras', '$9.99', 'month', '30 days'],
    ])
    expect(getOfferPath(fewer)).toBe('/account/products/camera-ai?period=annual&plan=cam-ai&cameras=2')
    expect(getOfferPath(month)).toBe('/account/products/unlimited?period=monthly&plan=unlimited')
  })

  test('describe a pause by its dates, including the last day of a shorter month', () => {
    expect(extractFacts(pauseText(1, createSubscription(), NOW))).toEqual(['22 Dec', '12 Dec', '11 Jan 2027'])
    expect(extractFacts(pauseText(1, createSubscription({ renews_at: day(2, 10, 2027) }), day(1, 31, 2027)))).toEqual([
      '28 Feb',
      '10 Feb',
      '10 Mar',
    ])
  })

  test('state the result, with a way to undo it if there is one', () => {
    const done = { running: true, ends_at: day(12, 8), to_method: 5413, to_balance: 0 }
    const all = [
      cancellationResultText(done, NOW),
      cancellationResultText({ ...done, running: false, to_method: 0 }, NOW),
    ]
    expect(all.map(({ until, back, next }) => [extractFacts(until), extractFacts(back), extractFacts(next)])).toEqual([
      [['8 Dec'], ['$54.13'], ['8 Dec']],
      [[], [], []],
    ])
    expect(all.map(({ until, back }) => [statesNoCharge(until), announcesRefund(back)])).toEqual([
      [true, true],
      [true, false],
    ])
  })
})

describe('failed charge', () => {
  test('is described with its reason, the attempts, and the date until which everything works', () => {
    expect(statusLabel(UNPAID_SUBSCRIPTION, NOW).tone).toBe('error')
    expect(extractFacts(subscriptionSentence(UNPAID_SUBSCRIPTION, NOW), 'monthly')).toEqual([
      'monthly',
      '$10.81',
      '20 Nov',
    ])
    expect(failureReasonText(OPEN_INVOICE)).toBe(findCatalogEntry('4221')?.text)
    expect(areDistinct([failureReasonText(OPEN_INVOICE), failureReasonText({ ...OPEN_INVOICE, code: '' })])).toBe(true)
    expect(extractFacts(retryText(UNPAID_SUBSCRIPTION, NOW), 'twice')).toEqual([
      'Visa ·· 4221',
      'twice',
      '20 Nov',
      '4 Dec',
    ])
  })

  test('names the days of its attempts, and of the last decline', () => {
    const describe = (...tried_at: number[]) =>
      retryText({ ...UNPAID_SUBSCRIPTION, open: { ...OPEN_INVOICE, tried_at } }, NOW).split('.')[0]
    const since = 'We tried to charge Visa ·· 4221 on'
    expect(describe(day(11, 20))).toBe(`${since} 20 November`)
    expect(describe(day(11, 20), day(11, 21))).toBe(`${since} 20 and 21 November`)
    expect(describe(day(10, 31), day(11, 1), day(11, 3))).toBe(`${since} 31 October, 1 November, and 3 November`)
    vi.stubGlobal('navigator', { language: 'en-US' })
    expect(describe(day(11, 20), day(11, 21))).toBe(`${since} November 20 and 21`)
    vi.unstubAllGlobals()
    expect(declinedText({ ...OPEN_INVOICE, tried_at: [day(11, 20), day(11, 21)] }, NOW)).toBe('Declined 21 Nov')
    expect(declinedText(OPEN_INVOICE, NOW)).toBe('Declined last time')
  })

  test('has four dates: today, the next retry, the last retry, and the day when clips are deleted', () => {
    expect(
      listDunningDates(UNPAID_SUBSCRIPTION, NOW).map(({ kind, day, note }) => [
        kind,
        extractFacts(day),
        extractFacts(note),
      ]),
    ).toEqual([
      ['now', ['22 Nov'], []],
      ['next', ['23 Nov'], ['27 Nov']],
      ['last', ['4 Dec'], []],
      ['gone', ['18 Dec'], []],
    ])
    expect(areDistinct(listDunningDates(UNPAID_SUBSCRIPTION, NOW).map(({ title }) => title))).toBe(true)
    const late = createSubscription({ ...UNPAID_SUBSCRIPTION, open: { ...OPEN_INVOICE, next_tries: [day(12, 4)] } })
    expect(listDunningDates(late, NOW).map(({ kind }) => kind)).toEqual(['now', 'last', 'gone'])
    expect(listDunningDates(createSubscription(), NOW)).toEqual([])
  })

  test('of a plan without clips mentions no clips', () => {
    const hms = createSubscription({ ...UNPAID_SUBSCRIPTION, sku: 'hms', running: false })
    expect(extractFacts(retryText(hms, NOW), 'twice', 'clips')).toEqual(['Visa ·· 4221', 'twice', '20 Nov'])
    expect(listDunningDates(hms, NOW).map(({ kind, note }) => [kind, extractFacts(note, 'clips')])).toEqual([
      ['now', []],
    ])
    const paused = createSubscription({
      sku: 'hms',
      running: false,
      paused_until: day(12, 22),
      renews_at: day(1, 11, 2027),
    })
    expect(extractFacts(pausedText(paused, NOW), 'clips')).toEqual(['11 Jan 2027'])
    expect(extractFacts(retryText({ ...hms, sku: 'pro' }, NOW), 'clips')).toContain('clips')
  })
})
