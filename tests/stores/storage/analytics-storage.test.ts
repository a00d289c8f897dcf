import { afterEach, describe, expect, test, vi } from 'vitest'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { clearUserData, PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../../src/stores/storage/safe-storage.ts'
import { ANALYTICS_KEYS } from '../../../src/stores/storage/analytics-keys.ts'
import {
  removeTestTracking,
  endTestTracking,
  optOut,
  readAnalyticsState,
  writeTestTrackingEnd,
  writeVariant,
} from '../../../src/stores/storage/analytics-opt-out.ts'
import { storeSentEvents, readSentEvents, MAX_SENT_EVENTS } from '../../../src/stores/storage/sent-analytics-events.ts'
import { clearBrowserState } from '../../support/analytics.ts'

const NOW_MS = Date.UTC(2026, 0, 1)

afterEach(clearBrowserState)

const createSentEvent = (n: number, change: object = {}) => ({
  event_type: ANALYTICS_EVENTS.bought,
  insert_id: `i${n}`,
  time: NOW_MS + n,
  session_id: NOW_MS,
  device_id: 'd1',
  app_version: 'abcdef0',
  event_properties: { plan: 'unlimited' },
  ...change,
})

describe('experiment variant of a document', () => {
  async function loadDocument() {
    vi.resetModules()
    return await import('../../../src/stores/storage/analytics-opt-out.ts')
  }

  test('stays the first one known; a variant learned meanwhile applies to the next document', async () => {
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, 'user_1a')
    writeVariant('annual-first', 'treatment', 'user_1a')
    const first = await loadDocument()
    const treatment = { experiment: 'annual-first', variant: 'treatment' }
    expect(first.getDocumentVariant()).toEqual(treatment)
    for (const learnt of ['control', null]) {
      writeVariant('annual-first', learnt, 'user_1a')
      expect(first.getDocumentVariant()).toEqual(treatment)
    }
    writeVariant('sample', 'control', 'user_1a')
    expect((await loadDocument()).getDocumentVariant()).toEqual({ experiment: 'sample', variant: 'control' })
  })

  test('stays empty for the document’s lifetime if the browser knew none', async () => {
    const { getDocumentVariant } = await loadDocument()
    expect(getDocumentVariant()).toBeNull()
    writeVariant('annual-first', 'treatment', null)
    expect(getDocumentVariant()).toBeNull()
  })

  test.each(['treatment', '', 'annual-first '])('is empty if an earlier version stored %j', async (stored) => {
    safeLocalStorage.write(ANALYTICS_KEYS.variant, stored)
    expect((await loadDocument()).getDocumentVariant()).toBeNull()
  })

  test('from a signed-out browser does not apply to an account', async () => {
    writeVariant('annual-first', 'treatment', null)
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, 'user_1a')
    expect((await loadDocument()).getDocumentVariant()).toBeNull()
  })
})

test.each([
  ['Do Not Track', { doNotTrack: '1' }],
  ['Global Privacy Control', { globalPrivacyControl: true }],
])('a browser that opts out for all sites is not measured: %s', (_, asks) => {
  expect(readAnalyticsState(NOW_MS)).toBe('on')
  vi.stubGlobal('navigator', asks)
  expect(readAnalyticsState(NOW_MS)).toBe('asked')
  vi.unstubAllGlobals()
  expect(readAnalyticsState(NOW_MS)).toBe('on')
})

describe('end of test tracking', () => {
  test('ANALYTICS-18 has no effect if test tracking is off, unlike an opt-out', () => {
    endTestTracking()
    writeTestTrackingEnd(NOW_MS - 1)
    expect(readAnalyticsState(NOW_MS)).toBe('ended')
    removeTestTracking()
    expect(readAnalyticsState(NOW_MS)).toBe('on')
    optOut()
    removeTestTracking()
    expect(readAnalyticsState(NOW_MS)).toBe('off')
  })

  test('OPEN-148 survives a sign-out, as an opt-out does', () => {
    writeTestTrackingEnd(NOW_MS - 1)
    clearUserData()
    expect(readAnalyticsState(NOW_MS)).toBe('ended')
    optOut()
    clearUserData()
    expect(readAnalyticsState(NOW_MS)).toBe('off')
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
  for (const name of [...names, ANALYTICS_KEYS.sent, ANALYTICS_KEYS.userVariant, ANALYTICS_KEYS.person])
    localStorage.setItem(name, '1')
  for (const name of ['AMP_PAGE_VIEW', 'EXP_sent_v3_a', ANALYTICS_KEYS.exposed, ANALYTICS_KEYS.begun])
    sessionStorage.setItem(name, '1')
  clearUserData()
  expect([{ ...localStorage }, { ...sessionStorage }]).toEqual([{}, {}])
})

describe('sent analytics events', () => {
  test('are limited to the last two hundred', () => {
    for (const from of [0, 150]) storeSentEvents(Array.from({ length: 150 }, (_, n) => createSentEvent(from + n)))
    expect(readSentEvents()).toHaveLength(MAX_SENT_EVENTS)
    expect(readSentEvents().at(-1)).toEqual(createSentEvent(299))
  })

  test('include those of the signed-in account and of no account', () => {
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, 'user_1a')
    storeSentEvents([
      createSentEvent(1),
      createSentEvent(2, { user_id: 'user_1a' }),
      createSentEvent(3, { user_id: 'user_2b' }),
    ])
    expect(readSentEvents().map(({ insert_id }) => insert_id)).toEqual(['i1', 'i2'])
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, 'user_2b')
    expect(readSentEvents().map(({ insert_id }) => insert_id)).toEqual(['i1'])
  })

  test.each(['{', '{}', '7', 'null', '[7, null, {"event_type": 3}]'])('are empty if %s is stored', (text) => {
    localStorage.setItem(ANALYTICS_KEYS.sent, text)
    expect(readSentEvents()).toEqual([])
    storeSentEvents([createSentEvent(1)])
    expect(readSentEvents()).toEqual([createSentEvent(1)])
  })
})
