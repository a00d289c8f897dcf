import { describe, expect, test } from 'vitest'
import type { LeavingWay } from '../../../../contract/billing/cancellation.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { testClockText } from '../../../../src/domain/copy/test-clock.ts'
import {
  refundText,
  barsNote,
  clipBars,
  cancellationResultText,
  fewerCamerasText,
  inBytes,
  formatPlanOffer,
  pauseText,
  clampStep,
  exportText,
  endDateText,
  wayTitle,
  wayToOffer,
} from '../../../../src/domain/copy/cancellation.ts'
import { listDunningDates, failureReasonText, retryText } from '../../../../src/domain/copy/open-invoice.ts'
import {
  canceledText,
  endedSentence,
  extensionText,
  isSubscriptionClosed,
  isReplaced,
  pausedText,
  serviceSentence,
  statusLabel,
} from '../../../../src/domain/copy/subscription-status.ts'
import { findCatalogEntry } from '../../../../contract/wire/error-codes.ts'
import { areDistinct, extractFacts, saysNoCharge, saysRefund } from '../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const day = (month: number, date: number, year = 2026) => Date.UTC(year, month - 1, date, 9, 41)
const visa = { brand: 'visa', last_four: '4242', name: '' }
const way = (change: Partial<LeavingWay> = {}): LeavingWay => ({
  ...{ way: 'end', ends_at: day(12, 8), lines: [], subtotal: 0, tax: 0, total: 0, to_method: 0, to_balance: 0 },
  ...{ from_balance: 0, method: null, months: 0, ...change },
})
const line = {
  ...({ kind: 'unused', sku: 'unlimited', period: 'annual', quantity: 1, unit: 9999, amount: -5000 } as const),
  ...{ tax: -413, from: day(12, 8), to: day(6, 8, 2027) },
}
const back = { lines: [line], subtotal: -5000, tax: -413, total: -5413, to_method: 5413, method: visa }
const year = way({ way: 'month_end', months: 6, ...back })
const sub = (change: Partial<Subscription> = {}): Subscription => ({
  ...({ subscription_id: 's1', sku: 'unlimited', status: 'active', quantity: 1, period: 'monthly' } as const),
  ...({ billing_provider: 'card', renews_at: day(12, 12), running: true, channel: 'web', revision: 1 } as const),
  ...{ since: 0, scheduled: null, next: null, paused_until: null, leaving: null, open: null, clock: 0, ...change },
})
const open = {
  ...{ total: 1081, due_at: day(11, 20), tries: 2, next_tries: [day(11, 23), day(11, 27), day(12, 4)], code: '4221' },
  method: { ...visa, last_four: '4221' },
}
const unpaid = sub({ status: 'past_due', renews_at: day(12, 4), open })

test('OPEN-87 any stored number is clamped to one of the four steps', () => {
  expect([1, 2, 3, 4, 0, -7, 5, 99, 2.4, NaN, Infinity].map(clampStep)).toEqual([1, 2, 3, 4, 1, 1, 4, 4, 2, 1, 1])
})

describe('cancellation effects', () => {
  test('are described by their kind and date', () => {
    const [paid, unpaid] = [way({ way: 'now', ...back }), way({ way: 'now' })]
    expect([year, way(), paid, unpaid].map((option) => extractFacts(endDateText(option, NOW)))).toEqual([
      ['8 Dec'],
      ['8 Dec'],
      [],
      [],
    ])
    expect([year, way(), paid, unpaid].map((option) => saysRefund(endDateText(option, NOW)))).toEqual([
      false,
      false,
      true,
      false,
    ])
    expect(saysNoCharge(endDateText(unpaid, NOW))).toBe(true)
    const titles = [year, way(), unpaid].map((option) => wayTitle(option, NOW))
    expect(titles.map((title) => extractFacts(title))).toEqual([['8 Dec'], ['8 Dec'], []])
    expect([areDistinct(titles), areDistinct([year, way()].map((option) => endDateText(option, NOW)))]).toEqual([
      true,
      true,
    ])
  })

  test('state the refund to the cent and its destination', () => {
    const describeRefund = (option: LeavingWay) => {
      const { title, note } = refundText(option, NOW)
      return [extractFacts(title, 'balance'), extractFacts(note), saysRefund(title)]
    }
    const sums = ['$50.00', '$4.13']
    const months = ['6', '8 Jun 2027', ...sums]
    expect(describeRefund(year)).toEqual([['$54.13', 'Visa ·· 4242'], months, true])
    expect(describeRefund({ ...year, to_method: 5000, to_balance: 413 })[0]).toEqual([
      ...['$50.00', 'Visa ·· 4242', '$4.13', 'balance'],
    ])
    expect(describeRefund({ ...year, to_method: 0, to_balance: 5413 }).slice(0, 2)).toEqual([
      ['$54.13', 'balance'],
      months,
    ])
    expect(describeRefund(way({ way: 'now', ...back }))[1]).toEqual(sums)
    expect(describeRefund(way())).toEqual([[], ['8 Dec'], false])
    expect(saysNoCharge(refundText(way(), NOW).title)).toBe(true)
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
      barsNote(clips, day(12, 8), NOW),
      barsNote({ ...all, kept_days: 30 }, day(12, 8), NOW),
      barsNote(all, day(12, 8), NOW),
      barsNote({ ...all, kept_days: 14 }, NOW, NOW),
    ]
    expect(notes.map((note) => extractFacts(note, 'Free'))).toEqual([['22 Dec'], [], ['Free', '8 Dec'], ['14 days']])
    expect(clipBars({ ...clips, shown: 0, kept: 0 }, day(12, 8), NOW)).toEqual([])
    expect(extractFacts(exportText(clips))).toEqual(['430', '3.4 GB'])
    expect([0, 12_000_000, 400].map(inBytes)).toEqual(['', '12 MB', '1 MB'])
  })

  test('offer alternatives with their price and a link that preselects them', () => {
    const fewer = { sku: 'cam-ai', period: 'annual', quantity: 2, cents: 5998, keeps_days: 14 } as const
    const month = { sku: 'unlimited', period: 'monthly', quantity: 1, cents: 999, keeps_days: 30 } as const
    const texts = [fewerCamerasText(fewer), formatPlanOffer(month, 'unlimited'), formatPlanOffer(month, 'pro')]
    expect(texts.map((text) => extractFacts(text, 'year', 'month'))).toEqual([
      ['Camera AI', '2', '$59.98', 'year', '14 days'],
      ['Unlimited Cameras', 'month', '$9.99'],
      ['Unlimited Cameras', '$9.99', 'month', '30 days'],
    ])
    expect(wayToOffer(fewer)).toBe('/account/products/camera-ai?period=annual&plan=cam-ai&cameras=2')
    expect(wayToOffer(month)).toBe('/account/products/unlimited?period=monthly&plan=unlimited')
  })

  test('describe a pause by its dates, including the last day of a shorter month', () => {
    expect(extractFacts(pauseText(1, sub(), NOW))).toEqual(['22 Dec', '12 Dec', '11 Jan 2027'])
    expect(extractFacts(pauseText(1, sub({ renews_at: day(2, 10, 2027) }), day(1, 31, 2027)))).toEqual([
      ...['28 Feb', '10 Feb', '10 Mar'],
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
    expect(all.map(({ until, back }) => [saysNoCharge(until), saysRefund(back)])).toEqual([
      [true, true],
      [true, false],
    ])
  })
})

describe('failed charge', () => {
  test('is described with its reason, the attempts, and the date until which everything works', () => {
    expect(statusLabel(unpaid, NOW).tone).toBe('error')
    expect(extractFacts(serviceSentence(unpaid, NOW), 'monthly')).toEqual(['monthly', '$10.81', '20 Nov'])
    expect(failureReasonText(open)).toBe(findCatalogEntry('4221')?.text)
    expect(areDistinct([failureReasonText(open), failureReasonText({ ...open, code: '' })])).toBe(true)
    expect(extractFacts(retryText(unpaid, NOW), 'twice')).toEqual(['Visa ·· 4221', 'twice', '20 Nov', '4 Dec'])
  })

  test('has four dates: today, the next retry, the last retry, and the day when clips are deleted', () => {
    expect(
      listDunningDates(unpaid, NOW).map(({ kind, day, note }) => [kind, extractFacts(day), extractFacts(note)]),
    ).toEqual([
      ['now', ['22 Nov'], []],
      ['next', ['23 Nov'], ['27 Nov']],
      ['last', ['4 Dec'], []],
      ['gone', ['18 Dec'], []],
    ])
    expect(areDistinct(listDunningDates(unpaid, NOW).map(({ title }) => title))).toBe(true)
    const late = sub({ ...unpaid, open: { ...open, next_tries: [day(12, 4)] } })
    expect(listDunningDates(late, NOW).map(({ kind }) => kind)).toEqual(['now', 'last', 'gone'])
    expect(listDunningDates(sub(), NOW)).toEqual([])
  })

  test('of a plan without clips mentions no clips', () => {
    const hms = sub({ ...unpaid, sku: 'hms', running: false })
    expect(extractFacts(retryText(hms, NOW), 'twice', 'clips')).toEqual(['Visa ·· 4221', 'twice', '20 Nov'])
    expect(listDunningDates(hms, NOW).map(({ kind, note }) => [kind, extractFacts(note, 'clips')])).toEqual([
      ['now', []],
    ])
    const paused = sub({ sku: 'hms', running: false, paused_until: day(12, 22), renews_at: day(1, 11, 2027) })
    expect(extractFacts(pausedText(paused, NOW), 'clips')).toEqual(['11 Jan 2027'])
    expect(extractFacts(retryText({ ...hms, sku: 'pro' }, NOW), 'clips')).toContain('clips')
  })
})

describe('subscription status text', () => {
  test('does not call a bonus a trial', () => {
    const bonus = sub({ channel: 'bonus', status: 'trial', sku: 'cam-ai', renews_at: day(12, 2) })
    const texts = [bonus, { ...bonus, channel: 'web' } as const].map(
      (subscription) => statusLabel(subscription, NOW).text,
    )
    expect(texts.map((text) => extractFacts(text, 'bonus', 'trial'))).toEqual([
      ['bonus', '10 days'],
      ['trial', '10 days'],
    ])
    expect(extractFacts(serviceSentence(bonus, NOW), 'free')).toEqual(['1', 'free', '2 Dec'])
  })

  test('canceled: states start and end, the refund, and that nothing more is charged', () => {
    const left = sub({ status: 'cancelled', leaving: { at: day(11, 19), to_method: 5413, to_balance: 100 } })
    const { text, tone } = statusLabel(left, NOW)
    expect([extractFacts(text), tone]).toEqual([['12 Dec'], 'warning'])
    const words = canceledText(left, NOW)
    expect(extractFacts(words, 'balance')).toEqual(['19 Nov', '12 Dec', '$54.13', '$1.00', 'balance'])
    expect([saysNoCharge(words), saysRefund(words)]).toEqual([true, true])
    expect(canceledText(sub(), NOW)).toBe('')
  })

  test('paused: states the end and the effects; the subscription is not closed', () => {
    const paused = sub({ running: false, paused_until: day(12, 22), renews_at: day(1, 11, 2027) })
    expect(extractFacts(statusLabel(paused, NOW).text)).toEqual(['22 Dec'])
    expect(extractFacts(pausedText(paused, NOW), 'clips')).toEqual(['clips', '11 Jan 2027'])
    expect(saysNoCharge(pausedText(paused, NOW))).toBe(true)
    expect([paused, unpaid, sub(), sub({ running: false })].map(isSubscriptionClosed)).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  test('ended: clips can return for two weeks, and not after that', () => {
    const ended = (at: number) => endedSentence(sub({ running: false, renews_at: at }), NOW)
    const texts = [
      ...[ended(day(11, 20)), ended(day(10, 1)), endedSentence(sub({ sku: 'hms', renews_at: day(11, 20) }), NOW)],
      endedSentence(sub({ renews_at: day(11, 20) }), NOW, true),
    ]
    expect(texts.map((text) => extractFacts(text))).toEqual([
      ['20 Nov 2026', '4 Dec'],
      ['1 Oct 2026'],
      ['20 Nov 2026'],
      ['20 Nov 2026'],
    ])
    expect(texts.map((text) => text.includes('clips'))).toEqual([true, true, false, false])
    const over = sub({ running: false })
    const replaced = (...all: Subscription[]) => isReplaced(over, [over, ...all])
    expect([replaced(sub()), replaced(sub({ sku: 'pro' }))]).toEqual([true, true])
    expect([replaced(), replaced(sub({ sku: 'cam-ai' })), replaced(sub({ sku: 'hms' }))]).toEqual([false, false, false])
    expect(isReplaced(sub({ sku: 'hms' }), [sub()])).toBe(false)
  })

  test('free trial: states how much longer it can be extended', () => {
    const until = day(12, 4)
    const texts = [0, 5, 14].map((used) => extensionText({ used, maximum: 14, until }, NOW))
    expect(texts.map((text) => extractFacts(text))).toEqual([
      ['4 Dec', '14 days'],
      ['4 Dec', '5 days', '9 days'],
      ['4 Dec', '14 days'],
    ])
    expect(areDistinct(texts)).toBe(true)
  })

  test('names the test clock if it was moved', () => {
    expect(extractFacts(testClockText(41 * 86_400_000, NOW))).toEqual(['2 Jan 2027'])
    expect(testClockText(0, NOW)).toBe('')
  })
})
