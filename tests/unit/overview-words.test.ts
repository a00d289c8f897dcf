import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Subscription } from '../../contract/plans.ts'
import { whenWords } from '../../src/domain/dates.ts'
import {
  byRank,
  overviewSentence,
  sharedLine,
  sizeWords,
  takeWords,
  takingWords,
  taxIn,
  unusedLine,
} from '../../src/domain/overview-words.ts'
import { unusedWords } from '../../src/domain/service-words.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const sub = (more: Partial<Subscription> = {}): Subscription => ({
  ...{ subscription_id: 's', sku: 'cam-ai', status: 'active', quantity: 3, period: 'monthly', channel: 'web' },
  ...{ billing_provider: 'card', renews_at: NOW + 16 * 86_400_000, running: true, revision: 0, since: 1 },
  ...{ scheduled: null, next: null, paused_until: null, leaving: null, open: null, clock: 0 },
  ...more,
})

describe('the plan of the overview', () => {
  it('is told by what it gives while it runs as usual, else by what happens to it', () => {
    expect(overviewSentence(sub(), NOW)).toBe('3 cameras, monthly · 14 days of clips and search')
    expect(overviewSentence(sub({ sku: 'unlimited', period: 'annual' }), NOW)).toBe(
      'Every camera, annual · 30 days of clips and search',
    )
    expect(overviewSentence(sub({ status: 'cancelled' }), NOW)).toContain('is not renewed')
    expect(overviewSentence(sub({ status: 'trial' }), NOW)).toContain('by itself')
  })

  it('is the highest, and the older of two that are alike', () => {
    const all = [sub({ sku: 'hms' }), sub({ since: 9 }), sub({ since: 2 }), sub({ sku: 'unlimited' })]
    expect(byRank(all).map(({ sku, since }) => `${sku} ${since}`)).toEqual([
      ...['unlimited 1', 'cam-ai 2', 'cam-ai 9', 'hms 1'],
    ])
  })

  it('names what an unused licence costs, and nothing of one that is free', () => {
    expect(unusedLine(1, sub())).toEqual(['One of your 3 licences is unused.', 'Use it, or pay $2.99 less each month.'])
    expect(unusedLine(2, sub({ period: 'annual' }))[1]).toBe('Use them, or pay $59.98 less each year.')
    expect(unusedLine(1, sub({ status: 'trial', quantity: 1 }))).toEqual([
      'Your licence covers no camera.',
      'Use it for a camera.',
    ])
  })

  it('counts the licences that somebody keeps, and names no price where giving back saves nothing', () => {
    const scheduled = { sku: 'cam-ai', period: 'monthly', quantity: 2 } as const
    expect(unusedLine(1, sub({ scheduled }))).toEqual([
      'One of the 2 licences that you keep is unused.',
      'Use it, or pay $2.99 less each month.',
    ])
    expect(unusedLine(1, sub({ scheduled: { ...scheduled, quantity: 1 } }))[0]).toBe(
      'The licence that you keep covers no camera.',
    )
    const other = { sku: 'unlimited', period: 'monthly', quantity: 1 } as const
    for (const change of [{ status: 'cancelled' }, { status: 'past_due' }, { scheduled: other }] as const)
      expect([unusedLine(1, sub(change))[1], unusedWords(1, sub(change))]).toEqual([
        'Use it for a camera.',
        'One licence covers no camera.',
      ])
    expect(unusedWords(1, sub())).toContain('$2.99 less each month')
  })

  it('of a shared camera is that of its owner', () => {
    const binding = { device_mac: 'a', bound_to: null, keeps_days: 30 }
    const plan = { subscription_id: null, sku: 'unlimited' as const, by: 'home' as const }
    expect(sharedLine({ ...binding, plan })).toMatch(/of its owner, 30 days$/)
    expect(sharedLine({ ...binding, plan: null, keeps_days: 1 })).toBe('Free, 1 day')
    expect(sharedLine(undefined)).toBe('')
  })
})

describe('the tax in an amount', () => {
  it('is found again for every price', () => {
    expect(taxIn(971, 825)).toBe(74)
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(2500), (net, rate) => {
        const total = net + Math.floor((net * rate + 5000) / 10_000)
        const tax = taxIn(total, rate)
        expect(tax).not.toBeNull()
        const rest = total - (tax ?? 0)
        expect(rest + Math.floor((rest * rate + 5000) / 10_000)).toBe(total)
      }),
    )
  })
})

describe('what there is to take', () => {
  const none = { clips: 0, events: 0, bills: 0, bytes: 0, about: false, archives: 0 }
  it.each([
    [none, ''],
    [
      { ...none, clips: 112, events: 112, bills: 6, bytes: 9e8, archives: 1 },
      '112 clips, their table and 6 bills in one archive, 0.9 GB.',
    ],
    [
      { ...none, clips: 1, events: 4, bytes: 4e6, archives: 1 },
      '1 clip and a table of all events in one archive, 4 MB.',
    ],
    [
      { ...none, clips: 1200, events: 1200, bills: 1, bytes: 34e8, about: true, archives: 2 },
      '1,200 clips, their table and 1 bill in 2 archives, about 3.4 GB. Each is a download of its own.',
    ],
    [{ ...none, bills: 2, archives: 1 }, '2 bills in one archive.'],
    [{ ...none, events: 2, archives: 1 }, 'A table of all events in one archive.'],
  ])('%j is said as %j', (what, words) => expect(takeWords(what)).toBe(words))

  it('says that one may leave only once something has come', () => {
    expect(takingWords('Gathering your clips', false)).toBe('Gathering your clips.')
    expect(takingWords('Archive 1 is on its way', true)).toContain('Press Go on when you are back.')
  })

  it('is big or small in the unit that fits', () => {
    expect([900, 38_200, 96e6, 1e8, 945e6].map(sizeWords)).toEqual(['1 kB', '39 kB', '96 MB', '0.1 GB', '0.9 GB'])
  })
})

it('times are told by their day', () => {
  const day = 86_400_000
  expect([0, day, 3 * day, 400 * day].map((ago) => whenWords(NOW - ago, NOW).replace(/\d\d:\d\d/, 'hh:mm'))).toEqual([
    ...['Today, hh:mm', 'Yesterday, hh:mm', '19 Nov, hh:mm', '18 Oct 2025, hh:mm'],
  ])
})
