import { afterEach, describe, expect, test, vi } from 'vitest'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { clearUserScoped, FIRST_KEYS, local } from '../../../src/stores/storage/safe-storage.ts'
import { MEASURE_KEYS } from '../../../src/stores/storage/analytics-keys.ts'
import {
  dropTestTracking,
  endMeasuring,
  optOut,
  readMeasuring,
  writeDue,
  writeVariant,
} from '../../../src/stores/storage/analytics-opt-out.ts'
import { storeSentEvents, readSent, SENT_MAX } from '../../../src/stores/storage/sent-analytics-events.ts'
import { cleanBrowser } from '../../support/analytics.ts'

const NOW = Date.UTC(2026, 0, 1)

afterEach(cleanBrowser)

const sentEvent = (n: number, change: object = {}) => ({
  ...{ event_type: ANALYTICS_EVENTS.bought, insert_id: `i${n}`, time: NOW + n, session_id: NOW, device_id: 'd1' },
  ...{ app_version: 'abcdef0', event_properties: { plan: 'unlimited' }, ...change },
})

describe('experiment variant of a document', () => {
  async function load() {
    vi.resetModules()
    return await import('../../../src/stores/storage/analytics-opt-out.ts')
  }

  test('stays the first one known; a variant learned meanwhile applies to the next document', async () => {
    local.write(FIRST_KEYS.userId, 'user_1a')
    writeVariant('annual-first', 'treatment', 'user_1a')
    const first = await load()
    const treatment = { experiment: 'annual-first', variant: 'treatment' }
    expect(first.shownVariant()).toEqual(treatment)
    for (const learnt of ['control', null]) {
      writeVariant('annual-first', learnt, 'user_1a')
      expect(first.shownVariant()).toEqual(treatment)
    }
    writeVariant('sample', 'control', 'user_1a')
    expect((await load()).shownVariant()).toEqual({ experiment: 'sample', variant: 'control' })
  })

  test('stays empty for the document’s lifetime if the browser knew none', async () => {
    const { shownVariant } = await load()
    expect(shownVariant()).toBeNull()
    writeVariant('annual-first', 'treatment', null)
    expect(shownVariant()).toBeNull()
  })

  test.each(['treatment', '', 'annual-first '])('is empty if an earlier version stored %j', async (stored) => {
    local.write(MEASURE_KEYS.variant, stored)
    expect((await load()).shownVariant()).toBeNull()
  })

  test('from a signed-out browser does not apply to an account', async () => {
    writeVariant('annual-first', 'treatment', null)
    local.write(FIRST_KEYS.userId, 'user_1a')
    expect((await load()).shownVariant()).toBeNull()
  })
})

test.each([
  ['Do Not Track', { doNotTrack: '1' }],
  ['Global Privacy Control', { globalPrivacyControl: true }],
])('a browser that opts out for all sites is not measured: %s', (_, asks) => {
  expect(readMeasuring(NOW)).toBe('on')
  vi.stubGlobal('navigator', asks)
  expect(readMeasuring(NOW)).toBe('asked')
  vi.unstubAllGlobals()
  expect(readMeasuring(NOW)).toBe('on')
})

describe('end of test tracking', () => {
  test('ANALYTICS-18 has no effect if test tracking is off, unlike an opt-out', () => {
    endMeasuring()
    writeDue(NOW - 1)
    expect(readMeasuring(NOW)).toBe('ended')
    dropTestTracking()
    expect(readMeasuring(NOW)).toBe('on')
    optOut()
    dropTestTracking()
    expect(readMeasuring(NOW)).toBe('off')
  })

  test('OPEN-148 survives a sign-out, as an opt-out does', () => {
    writeDue(NOW - 1)
    clearUserScoped()
    expect(readMeasuring(NOW)).toBe('ended')
    optOut()
    clearUserScoped()
    expect(readMeasuring(NOW)).toBe('off')
  })
})

test('OPEN-148 data stored by libraries belongs to the user, and a sign-out clears it', () => {
  const names = [
    'AMP_remote_config_web-portal',
    'AMP_web-portal',
    'EXP_unsent_a',
    'amp-exp-a-portal',
    'amp-exp-a-flags',
  ]
  for (const name of [...names, MEASURE_KEYS.sent, MEASURE_KEYS.userVariant, MEASURE_KEYS.person])
    localStorage.setItem(name, '1')
  for (const name of ['AMP_PAGE_VIEW', 'EXP_sent_v3_a', MEASURE_KEYS.exposed, MEASURE_KEYS.begun])
    sessionStorage.setItem(name, '1')
  clearUserScoped()
  expect([{ ...localStorage }, { ...sessionStorage }]).toEqual([{}, {}])
})

describe('sent analytics events', () => {
  test('are limited to the last two hundred', () => {
    for (const from of [0, 150]) storeSentEvents(Array.from({ length: 150 }, (_, n) => sentEvent(from + n)))
    expect(readSent()).toHaveLength(SENT_MAX)
    expect(readSent().at(-1)).toEqual(sentEvent(299))
  })

  test('include those of the signed-in account and of no account', () => {
    local.write(FIRST_KEYS.userId, 'user_1a')
    storeSentEvents([sentEvent(1), sentEvent(2, { user_id: 'user_1a' }), sentEvent(3, { user_id: 'user_2b' })])
    expect(readSent().map(({ insert_id }) => insert_id)).toEqual(['i1', 'i2'])
    local.write(FIRST_KEYS.userId, 'user_2b')
    expect(readSent().map(({ insert_id }) => insert_id)).toEqual(['i1'])
  })

  test.each(['{', '{}', '7', 'null', '[7, null, {"event_type": 3}]'])('are empty if %s is stored', (text) => {
    localStorage.setItem(MEASURE_KEYS.sent, text)
    expect(readSent()).toEqual([])
    storeSentEvents([sentEvent(1)])
    expect(readSent()).toEqual([sentEvent(1)])
  })
})
