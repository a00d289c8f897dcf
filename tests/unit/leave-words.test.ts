import { describe, expect, test } from 'vitest'
import type { LeavingWay } from '../../contract/cancel.ts'
import type { Subscription } from '../../contract/plans.ts'
import { clockWords } from '../../src/domain/clock-words.ts'
import {
  backWords,
  barsNote,
  clipBars,
  doneWords,
  fewerWords,
  inBytes,
  otherWords,
  pauseWords,
  stepOf,
  takeWords,
  untilWords,
  wayTitle,
  wayToOffer,
} from '../../src/domain/leave-words.ts'
import { momentsOf, reasonWords, triedWords } from '../../src/domain/open-words.ts'
import {
  cancelledWords,
  endedSentence,
  extensionWords,
  isOver,
  isReplaced,
  pausedWords,
  serviceSentence,
  stateWords,
} from '../../src/domain/service-words.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const day = (month: number, date: number, year = 2026) => Date.UTC(year, month - 1, date, 9, 41)
const visa = { brand: 'visa', last_four: '4242', name: '' }
const way = (change: Partial<LeavingWay> = {}): LeavingWay => ({
  ...{ way: 'end', ends_at: day(12, 8), lines: [], subtotal: 0, tax: 0, total: 0, to_method: 0, to_balance: 0 },
  ...{ method: null, months: 0, ...change },
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

test('OPEN-87 any number that is kept is one of the four steps', () => {
  expect([1, 2, 3, 4, 0, -7, 5, 99, 2.4, NaN, Infinity].map(stepOf)).toEqual([1, 2, 3, 4, 1, 1, 4, 4, 2, 1, 1])
})

describe('what leaving means', () => {
  test('is said by its way and its day', () => {
    expect(untilWords(year, NOW)).toBe(
      'It works until 8 December, the end of the month you are in. You can undo it any time before.',
    )
    expect(untilWords(way(), NOW)).toContain('the end of what is paid')
    expect(untilWords(way({ way: 'now', ...back }), NOW)).toBe('It ends at once, and all that you paid comes back.')
    expect(untilWords(way({ way: 'now' }), NOW)).toBe('It ends at once, and what is open is not charged any more.')
    expect([year, way(), way({ way: 'now' })].map((one) => wayTitle(one, NOW))).toEqual([
      'End it on 8 December, with the month you are in',
      'Let it run until 8 December',
      'End it now',
    ])
  })

  test('what comes back is said to the cent, and to where', () => {
    expect(backWords(year, NOW)).toEqual({
      title: '$54.13 comes back to Visa ·· 4242',
      note: '6 unused months, to 8 June 2027: $50.00 and $4.13 tax. It is sent when the plan ends.',
    })
    expect(backWords({ ...year, to_method: 5000, to_balance: 413 }, NOW).title).toBe(
      '$50.00 comes back to Visa ·· 4242, $4.13 goes to your balance',
    )
    expect(backWords({ ...year, to_method: 0, to_balance: 5413 }, NOW).note).toContain(
      'It is there when the plan ends.',
    )
    expect(backWords(way({ way: 'now', ...back }), NOW).note).toContain('All of what you paid')
    expect(backWords(way(), NOW).title).toBe('No further charge, and nothing comes back')
  })

  test('clips are kept, hidden and deleted by their numbers and days', () => {
    const clips = { shown: 430, shown_days: 30, kept: 6, kept_days: 1, bytes: 3.4e9, bills: 4 }
    const bars = clipBars(clips, day(12, 8), NOW)
    expect(bars.map(({ when, days, kept, rest, lost }) => [when, days, kept, rest, lost])).toEqual([
      ['Until 8 Dec', '30 days kept', 430, '', 0],
      ['From 8 Dec', '1 day kept, Free', 6, 'hidden', 424],
      ['From 22 Dec', '1 day kept, Free', 6, 'deleted', 424],
    ])
    expect(bars[1]?.share).toBeCloseTo(6 / 430)
    expect(barsNote(clips, day(12, 8), NOW)).toContain('until 22 December')
    const all = { ...clips, kept: 430 }
    expect(barsNote({ ...all, kept_days: 30 }, day(12, 8), NOW)).toContain('another plan keeps as much')
    expect(barsNote(all, day(12, 8), NOW)).toBe(
      'Counted today. All of them are from the last day, which Free keeps too. What is older than that on 8 December is hidden from then on.',
    )
    expect(barsNote({ ...all, kept_days: 14 }, NOW, NOW)).toBe(
      'Counted today. All of them are from the last 14 days, which are kept.',
    )
    expect(clipBars({ ...clips, shown: 0, kept: 0 }, day(12, 8), NOW)).toEqual([])
    expect(takeWords(clips)).toBe('430 clips, a table, all bills, 3.4 GB')
    expect([0, 12_000_000, 400].map(inBytes)).toEqual(['', '12 MB', '1 MB'])
  })

  test('what there is in between names its price and leads to its page with that chosen', () => {
    const fewer = { sku: 'cam-ai', period: 'annual', quantity: 2, cents: 5998, keeps_days: 14 } as const
    const month = { sku: 'unlimited', period: 'monthly', quantity: 1, cents: 999, keeps_days: 30 } as const
    expect(fewerWords(fewer)).toBe('Camera AI for 2: $59.98 a year, 14 days of clips.')
    expect(otherWords(month, 'unlimited')).toBe('Unlimited Cameras by the month: $9.99, stop when you like.')
    expect(otherWords(month, 'pro')).toBe('Unlimited Cameras: $9.99 a month, 30 days of clips.')
    expect(wayToOffer(fewer)).toBe('/account/products/camera-ai?period=annual&plan=cam-ai&cameras=2')
    expect(wayToOffer(month)).toBe('/account/products/unlimited?period=monthly&plan=unlimited')
  })

  test('a pause is said by its dates, the last day of a shorter month too', () => {
    expect(pauseWords(1, sub(), NOW)).toBe(
      'Until 22 December. The next charge moves from 12 December to 11 January 2027.',
    )
    expect(pauseWords(1, sub({ renews_at: day(2, 10, 2027) }), day(1, 31, 2027))).toContain('Until 28 February.')
  })

  test('what was done is said with the way back, where there is one', () => {
    const done = { running: true, ends_at: day(12, 8), to_method: 5413, to_balance: 0 }
    expect(doneWords(done, NOW)).toMatchObject({
      until: 'It works until 8 December, with no further charge.',
      back: '$54.13 comes back to where it came from.',
    })
    expect(doneWords({ ...done, running: false, to_method: 0 }, NOW).next).toBe(
      'You can turn it on again on this page.',
    )
  })
})

describe('a charge that failed', () => {
  test('is said with its reason, what was tried, and until when all works', () => {
    expect(stateWords(unpaid, NOW)).toEqual({ text: 'Not paid', tone: 'error' })
    expect(serviceSentence(unpaid, NOW)).toBe('Monthly · $10.81 was due on 20 November')
    expect(reasonWords(open)).toContain('insufficient funds')
    expect(reasonWords({ ...open, code: '' })).toBe('The last payment did not go through.')
    expect(triedWords(unpaid, NOW)).toBe(
      'Visa ·· 4221 was asked twice since 20 November. Everything works as before until 4 December.',
    )
  })

  test('has four moments: today, the next try, the last one, and the day on which clips are deleted', () => {
    expect(momentsOf(unpaid, NOW).map(({ title, day, note }) => [title, day, note])).toEqual([
      ['Today', '22 November', 'Works as before'],
      ['Next try', '23 November', 'Then 27 November'],
      ['Last try', '4 December', 'Plan stops if unpaid'],
      ['Clips deleted', '18 December', 'Paid before: all back'],
    ])
    const late = sub({ ...unpaid, open: { ...open, next_tries: [day(12, 4)] } })
    expect(momentsOf(late, NOW).map(({ title }) => title)).toEqual(['Today', 'Last try', 'Clips deleted'])
    expect(momentsOf(sub(), NOW)).toEqual([])
  })

  test('of a plan that is about no clips says nothing of any', () => {
    const hms = sub({ ...unpaid, sku: 'hms', running: false })
    expect(triedWords(hms, NOW)).toMatch(/The plan has stopped\. Paying turns it on again\.$/)
    expect(momentsOf(hms, NOW).map(({ title, note }) => [title, note])).toEqual([['Today', 'Stopped']])
    const paused = sub({ sku: 'hms', running: false, paused_until: day(12, 22), renews_at: day(1, 11, 2027) })
    expect(pausedWords(paused, NOW)).toBe('Nothing is charged until then. The next charge is on 11 January 2027.')
    expect(triedWords({ ...hms, sku: 'pro' }, NOW)).toContain('its clips are hidden')
  })
})

describe('a service says what it is', () => {
  test('a bonus is not called a trial', () => {
    const bonus = sub({ channel: 'bonus', status: 'trial', sku: 'cam-ai', renews_at: day(12, 2) })
    expect(stateWords(bonus, NOW).text).toBe('Bonus, 10 days left')
    expect(serviceSentence(bonus, NOW)).toBe('1 camera, free · ends 2 December by itself')
    expect(stateWords({ ...bonus, channel: 'web' }, NOW).text).toBe('Trial, 10 days left')
  })

  test('cancelled: until when, what comes back, and that taking it back costs nothing', () => {
    const left = sub({ status: 'cancelled', leaving: { at: day(11, 19), to_method: 5413, to_balance: 100 } })
    expect(stateWords(left, NOW)).toEqual({ text: 'Ends 12 December', tone: 'warning' })
    const words = cancelledWords(left, NOW)
    for (const part of ['by you on 19 November', 'no charge after', '$54.13', '$1.00', 'Undo costs nothing'])
      expect(words).toContain(part)
    expect(cancelledWords(sub(), NOW)).toBe('')
  })

  test('paused: until when, and what that means; it is not over', () => {
    const paused = sub({ running: false, paused_until: day(12, 22), renews_at: day(1, 11, 2027) })
    expect(stateWords(paused, NOW).text).toBe('Paused until 22 December')
    expect(pausedWords(paused, NOW)).toContain('The next charge is on 11 January 2027.')
    expect([paused, unpaid, sub(), sub({ running: false })].map(isOver)).toEqual([false, false, false, true])
  })

  test('over: clips come back for two weeks, and do not after that', () => {
    const ended = (at: number) => endedSentence(sub({ running: false, renews_at: at }), NOW)
    expect(ended(day(11, 20))).toContain('come back if you turn it on again before 4 December')
    expect(ended(day(10, 1))).toContain('clips that are gone do not come back')
    expect(endedSentence(sub({ sku: 'hms', renews_at: day(11, 20) }), NOW)).toBe('Ended 20 November 2026.')
    expect(endedSentence(sub({ renews_at: day(11, 20) }), NOW, true)).toBe('Ended 20 November 2026.')
    const over = sub({ running: false })
    const replaced = (...all: Subscription[]) => isReplaced(over, [over, ...all])
    expect([replaced(sub()), replaced(sub({ sku: 'pro' }))]).toEqual([true, true])
    expect([replaced(), replaced(sub({ sku: 'cam-ai' })), replaced(sub({ sku: 'hms' }))]).toEqual([false, false, false])
    expect(isReplaced(sub({ sku: 'hms' }), [sub()])).toBe(false)
  })

  test('free days say how much longer they can be', () => {
    const until = day(12, 4)
    expect(extensionWords({ used: 0, maximum: 14, until }, NOW)).toBe(
      'Your free days end 4 December. You can add 14 days, free of charge.',
    )
    expect(extensionWords({ used: 14, maximum: 14, until }, NOW)).toContain('as much as they can be')
  })

  test('the clock of its money is named where it was moved', () => {
    expect(clockWords(41 * 86_400_000, NOW)).toBe('The clock of plans and bills was moved: it is 2 January 2027 there.')
    expect(clockWords(0, NOW)).toBe('')
  })
})
