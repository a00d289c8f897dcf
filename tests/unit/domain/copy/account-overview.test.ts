import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { dateTimeLabel } from '../../../../src/domain/time/date-formats.ts'
import {
  sortByRank,
  overviewSentence,
  describeSharedPlan,
  exportSummary,
  exportProgressText,
  formatUnusedLicenses,
  pinFailedCharge,
} from '../../../../src/domain/copy/account-overview.ts'
import { unusedLicensesText } from '../../../../src/domain/copy/subscription-status.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const createSubscription = (more: Partial<Subscription> = {}): Subscription => ({
  subscription_id: 's',
  sku: 'cam-ai',
  status: 'active',
  quantity: 3,
  period: 'monthly',
  channel: 'web',
  billing_provider: 'card',
  renews_at: NOW + 16 * 86_400_000,
  running: true,
  revision: 0,
  since: 1,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  ...more,
})

const extractUnusedLicenseFacts = (...of: Parameters<typeof formatUnusedLicenses>) =>
  formatUnusedLicenses(...of).map((text) => extractFacts(text, 'month', 'year'))

describe('the plan in the overview', () => {
  test('shows its benefits while it runs as usual, else its upcoming change', () => {
    const sentences = [
      createSubscription(),
      createSubscription({ sku: 'unlimited', period: 'annual' }),
      createSubscription({ status: 'cancelled' }),
      createSubscription({ status: 'trial' }),
    ].map((subscription) => overviewSentence(subscription, NOW))
    expect(sentences.map((text) => extractFacts(text, 'monthly', 'annual', 'free'))).toEqual([
      ['3', 'monthly', '14 days'],
      ['annual', '30 days'],
      ['3', 'monthly', '8 Dec'],
      ['free', '3', '8 Dec'],
    ])
  })

  test('is the highest plan, and the older of two equal ones', () => {
    const all = [
      createSubscription({ sku: 'hms' }),
      createSubscription({ since: 9 }),
      createSubscription({ since: 2 }),
      createSubscription({ sku: 'unlimited' }),
    ]
    expect(sortByRank(all).map(({ sku, since }) => `${sku} ${since}`)).toEqual([
      'unlimited 1',
      'cam-ai 2',
      'cam-ai 9',
      'hms 1',
    ])
  })

  test('names the cost of an unused license, and nothing for a free one', () => {
    expect(extractUnusedLicenseFacts(1, createSubscription())).toEqual([['1'], ['$2.99', 'month']])
    expect(extractUnusedLicenseFacts(2, createSubscription({ period: 'annual' }))).toEqual([['2'], ['$59.98', 'year']])
    expect(extractUnusedLicenseFacts(1, createSubscription({ status: 'trial', quantity: 1 }))).toEqual([['1'], []])
  })

  test('names no price if returning a license saves nothing', () => {
    const scheduled = { sku: 'cam-ai', period: 'monthly', quantity: 2 } as const
    expect(extractUnusedLicenseFacts(1, createSubscription({ scheduled }))).toEqual([['1'], ['$2.99', 'month']])
    const other = { sku: 'unlimited', period: 'monthly', quantity: 1 } as const
    for (const change of [{ status: 'cancelled' }, { status: 'past_due' }, { scheduled: other }] as const)
      expect([
        extractUnusedLicenseFacts(1, createSubscription(change))[1],
        extractFacts(unusedLicensesText(1, createSubscription(change))),
      ]).toEqual([[], ['1']])
    expect(extractFacts(unusedLicensesText(2, createSubscription()), 'month')).toEqual(['2', '$5.98', 'month'])
  })

  test('counts unused licenses in the same words as the services page', () => {
    for (const unused of [1, 2]) {
      const subscription = createSubscription()
      const [count] = formatUnusedLicenses(unused, subscription)
      expect(unusedLicensesText(unused, subscription).startsWith(count)).toBe(true)
    }
  })

  test('is the owner’s plan for a shared camera', () => {
    const binding = { device_mac: 'a', bound_to: null, keeps_days: 30 }
    const plan = { subscription_id: null, sku: 'unlimited' as const, by: 'home' as const }
    expect(extractFacts(describeSharedPlan({ ...binding, plan }), 'owner')).toEqual([
      'owner',
      'Unlimited Cameras',
      '30 days',
    ])
    expect(extractFacts(describeSharedPlan({ ...binding, plan: null, keeps_days: 1 }), 'Free')).toEqual([
      'Free',
      '1 day',
    ])
    expect(describeSharedPlan(undefined)).toBe('')
  })
})

describe('data export content', () => {
  const emptyContent = { clips: 0, events: 0, bills: 0, bytes: 0, about: false, archives: 0 }
  test.each<[typeof emptyContent, string[]]>([
    [emptyContent, []],
    [{ ...emptyContent, clips: 112, events: 112, bills: 6, bytes: 9e8, archives: 1 }, ['112', '6', '1', '900 MB']],
    [{ ...emptyContent, clips: 1, events: 4, bytes: 4e6, archives: 1 }, ['1', '1', '4 MB']],
    [
      { ...emptyContent, clips: 1200, events: 1200, bills: 1, bytes: 34e8, about: true, archives: 2 },
      ['1,200', '1', '2', 'about', '3.4 GB'],
    ],
    [{ ...emptyContent, bills: 2, archives: 1 }, ['2', '1']],
  ])('%j is summarized with the facts %j', (content, facts) =>
    expect(extractFacts(exportSummary(content), 'about')).toEqual(facts),
  )

  test('is empty, or an event table if events have no clips', () => {
    expect(exportSummary(emptyContent)).toBe('')
    expect(
      areDistinct([
        exportSummary({ ...emptyContent, events: 2, archives: 1 }),
        exportSummary({ ...emptyContent, bills: 2, archives: 1 }),
      ]),
    ).toBe(true)
  })

  test('says that the user may leave only after the first data arrives', () => {
    const texts = [false, true].map((hasCome) => exportProgressText('Archive 1 is on its way', hasCome))
    expect(texts.map((text) => text.startsWith('Archive 1 is on its way.'))).toEqual([true, true])
    expect(areDistinct(texts)).toBe(true)
  })
})

test('a time label names the day: today, yesterday or the date', () => {
  const day = 86_400_000
  expect(
    [0, day, 3 * day, 400 * day].map((ago) => dateTimeLabel(NOW - ago, NOW).replace(/\d\d:\d\d/, 'hh:mm')),
  ).toEqual(['Today, hh:mm', 'Yesterday, hh:mm', '19 Nov, hh:mm', '18 Oct 2025, hh:mm'])
})

test('the latest declined charge is the first notification while an invoice is open', () => {
  const [login, latest, earlier] = [
    { kind: 'new_sign_in' },
    { kind: 'charge_failed' },
    { kind: 'charge_failed' },
  ] as const
  expect(pinFailedCharge([login, latest, earlier], true)).toEqual([latest, login, earlier])
  expect(pinFailedCharge([login, latest, earlier], false)).toEqual([login, latest, earlier])
  expect(pinFailedCharge([login], true)).toEqual([login])
})
