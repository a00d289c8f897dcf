// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { COLLECTOR_VERSION } from '../../../../contract/telemetry/device-collector.ts'
import { DeviceCollector } from '../../../../src/services/device-collector/device-collector.ts'
import {
  createCollectorBrowser,
  COLLECTOR_CONFIG,
  failNetwork,
  COLLECTOR_ORIGIN,
  neverRespond,
  SESSION_ID,
  respondWithStatus,
  FIRST_PARTY_VALUE,
  openCollector as open,
  startCollector as start,
} from '../../../support/collector-ports.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('collector session', () => {
  test('FRAUD-24 if new, clears the collector’s stored data, is reported and runs again', async () => {
    const { collector, listCalls, tabEntries } = open()
    await start(collector)
    tabEntries.set('something_else', 'stays')
    await collector.newSession('session2')
    const [post] = listCalls('POST /session/session2')
    expect([post?.url.search, post?.init.headers]).toEqual(['?kddcgid=instance1', { 'client-id': 'porchlight' }])
    expect(listCalls('GET /cs/config').map(({ url }) => url.searchParams.get('s'))).toEqual([SESSION_ID, 'session2'])
    expect(tabEntries.get('something_else')).toBe('stays')
    expect(tabEntries.get('browser_collector_session')).toBe('session2')
  })

  test('FRAUD-25 names the stored previous session if that is a different one', async () => {
    const { collector, listCalls, tabEntries } = open()
    tabEntries.set('browser_collector_session', 'before')
    await start(collector)
    expect(listCalls(`POST /session/${SESSION_ID}`)[0]?.url.search).toBe('?previousSessionID=before&kddcgid=instance1')
    expect(listCalls(`POST /session/${SESSION_ID}`)[0]?.init.keepalive).toBe(true)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
  })

  test('does not count as the previous session if stored in another format', async () => {
    const { collector, listCalls, tabEntries } = open()
    tabEntries.set('browser_collector_session', '{"session":"before"}')
    await start(collector)
    expect(listCalls(`POST /session/${SESSION_ID}`)[0]?.url.search).toBe('?kddcgid=instance1')
  })

  test('blocks nothing if the host never responds, and times out after three seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { collector, listCalls } = open({}, { [`POST /session/${SESSION_ID}`]: neverRespond })
    await start(collector)
    expect(collector.state).toBe('collecting')
    expect(listCalls(`POST /session/${SESSION_ID}`)[0]?.init.signal).toBe(timeout.mock.results[0]?.value)
  })

  test('ignores a late response after another session replaced it', async () => {
    let answer: (value: Response) => void = () => undefined
    const lateResponse = new Promise<Response>((resolve) => (answer = resolve))
    const { collector, tabEntries } = open({}, { [`POST /session/${SESSION_ID}`]: () => lateResponse })
    await start(collector)
    await collector.newSession('session2')
    answer(Response.json({}))
    await vi.advanceTimersByTimeAsync(0)
    expect(tabEntries.get('browser_collector_session')).toBe('session2')
    await collector.newSession('')
    collector.attach('order')
    expect([collector.state, collector.errors.length]).toEqual(['off', 1])
  })

  test.each([200, 201])('FRAUD-50 counts as reported when the response is %d', async (code) => {
    const { collector, tabEntries } = open({}, { [`POST /session/${SESSION_ID}`]: respondWithStatus(code) })
    await start(collector)
    expect([collector.errors, tabEntries.get('browser_collector_session')]).toEqual([[], SESSION_ID])
  })

  test.each([202, 400, 500])('FRAUD-37 FRAUD-39 records %d as an unknown response', async (code) => {
    const { collector, debug, tabEntries } = open({}, { [`POST /session/${SESSION_ID}`]: respondWithStatus(code) })
    await start(collector)
    expect(collector.errors).toEqual([`The session report failed with status ${code}.`])
    expect(debug).toEqual(collector.errors)
    expect([collector.state, tabEntries.size]).toEqual(['collecting', 0])
  })
})

describe('first-party value', () => {
  const FIRST_PARTY_KEY = 'browser_first_party'
  const OTHER_VALUE = 'another-value-of-this'

  test('FRAUD-27 is requested if none exists', async () => {
    const { collector, listCalls, localEntries, cookies } = open()
    await start(collector)
    expect([listCalls('GET /cs/generatecookie').length, listCalls('POST /cs/storecookie').length]).toEqual([1, 0])
    expect([localEntries.get(FIRST_PARTY_KEY), cookies.get(FIRST_PARTY_KEY)]).toEqual([
      FIRST_PARTY_VALUE,
      FIRST_PARTY_VALUE,
    ])
  })

  test.each([
    ['local storage', 'localEntries'],
    ['the cookies', 'cookies'],
  ] as const)('FRAUD-28 is copied from %s to the other', async (_, store) => {
    const browser = open()
    browser[store].set(FIRST_PARTY_KEY, OTHER_VALUE)
    await start(browser.collector)
    expect([browser.localEntries.get(FIRST_PARTY_KEY), browser.cookies.get(FIRST_PARTY_KEY)]).toEqual([
      OTHER_VALUE,
      OTHER_VALUE,
    ])
  })

  test('FRAUD-29 from local storage wins', async () => {
    const { collector, localEntries, cookies } = open()
    localEntries.set(FIRST_PARTY_KEY, OTHER_VALUE)
    cookies.set(FIRST_PARTY_KEY, FIRST_PARTY_VALUE)
    await start(collector)
    expect([localEntries.get(FIRST_PARTY_KEY), cookies.get(FIRST_PARTY_KEY)]).toEqual([OTHER_VALUE, OTHER_VALUE])
  })

  test('FRAUD-49 is checked if stored, and stays after a 200', async () => {
    const { collector, localEntries, listCalls } = open()
    localEntries.set(FIRST_PARTY_KEY, OTHER_VALUE)
    await start(collector)
    const form = listCalls('POST /cs/storecookie')[0]?.init.body as URLSearchParams
    expect(Object.fromEntries(form)).toEqual({
      m: 'porchlight',
      s: SESSION_ID,
      sv: COLLECTOR_VERSION,
      kddcgid: 'instance1',
      k: OTHER_VALUE,
    })
    expect([localEntries.get(FIRST_PARTY_KEY), collector.errors]).toEqual([OTHER_VALUE, []])
  })

  test('FRAUD-30 is replaced if the host rejects it', async () => {
    const { collector, localEntries, cookies } = open({}, { 'POST /cs/storecookie': respondWithStatus(500) })
    localEntries.set(FIRST_PARTY_KEY, OTHER_VALUE)
    await start(collector)
    expect([localEntries.get(FIRST_PARTY_KEY), cookies.get(FIRST_PARTY_KEY)]).toEqual([
      FIRST_PARTY_VALUE,
      FIRST_PARTY_VALUE,
    ])
  })

  test.each([
    ['403', respondWithStatus(403)],
    ['missing', failNetwork],
  ])('OPEN-97 stays, with a note, if the response is %s', async (_, answer) => {
    const { collector, localEntries } = open({}, { 'POST /cs/storecookie': answer })
    localEntries.set(FIRST_PARTY_KEY, OTHER_VALUE)
    await start(collector)
    expect([localEntries.get(FIRST_PARTY_KEY), collector.errors.length]).toEqual([OTHER_VALUE, 1])
  })

  test.each([
    ['missing', failNetwork],
    ['markup', () => Response.json({ value: '<script>' })],
    ['a cookie attribute', () => Response.json({ value: `${FIRST_PARTY_VALUE};path=/x` })],
    ['an object', () => Response.json({})],
  ])(
    'FRAUD-40 counts as missing after two seconds if the response is %s, and nothing is collected',
    async (_, answer) => {
      const { collector, phases, frames, localEntries, cookieWrites } = open({}, { 'GET /cs/generatecookie': answer })
      const started = collector.start(SESSION_ID)
      await vi.advanceTimersByTimeAsync(1999)
      expect(collector.state).toBe('first-party')
      await vi.advanceTimersByTimeAsync(1)
      await started
      expect(collector.errors).toContain('Invalid/Missing First Party cookie')
      expect([phases, frames, collector.state]).toEqual([[], [], 'idle'])
      expect(localEntries.has(FIRST_PARTY_KEY)).toBe(false)
      expect(cookieWrites.filter((text) => !text.includes('max-age=0'))).toEqual([])
    },
  )

  test('counts as missing if stored in an unknown format, and is replaced', async () => {
    const { collector, localEntries, cookies, listCalls } = open()
    localEntries.set(FIRST_PARTY_KEY, `${OTHER_VALUE};path=/x`)
    cookies.set(FIRST_PARTY_KEY, '<b>')
    await start(collector)
    expect([
      localEntries.get(FIRST_PARTY_KEY),
      cookies.get(FIRST_PARTY_KEY),
      listCalls('POST /cs/storecookie').length,
    ]).toEqual([FIRST_PARTY_VALUE, FIRST_PARTY_VALUE, 0])
  })

  test('FRAUD-45 is polled every 10 ms', async () => {
    let answer: (value: Response) => void = () => undefined
    const lateResponse = new Promise<Response>((resolve) => (answer = resolve))
    const { collector } = open({}, { 'GET /cs/generatecookie': () => lateResponse })
    const started = collector.start(SESSION_ID)
    await vi.advanceTimersByTimeAsync(1005)
    answer(Response.json({ value: FIRST_PARTY_VALUE }))
    await vi.advanceTimersByTimeAsync(4)
    expect(collector.state).toBe('first-party')
    await vi.advanceTimersByTimeAsync(1)
    await started
    expect(collector.state).toBe('collecting')
  })
})

describe('form with a session field', () => {
  test('FRAUD-34 FRAUD-35 carries the session in a hidden field, by the default name or another', async () => {
    document.body.innerHTML = '<form id="order"></form>'
    const { collector } = open()
    await start(collector)
    collector.attach('order')
    collector.attach('order', 'device')
    const fields = [...document.querySelectorAll('input')].map(({ type, name, value }) => [type, name, value])
    expect(fields).toEqual([
      ['hidden', 'sessionId', SESSION_ID],
      ['hidden', 'device', SESSION_ID],
    ])
  })

  test('OPEN-175 carries the session without any run of the collector', () => {
    document.body.innerHTML = '<form id="order"></form>'
    const { collector, frames, listCalls } = open()
    expect(collector.prepare(SESSION_ID)).toBe(true)
    collector.attach('order', 'kount_session_id')
    expect([...document.querySelectorAll('input')].map(({ name, value }) => [name, value])).toEqual([
      ['kount_session_id', SESSION_ID],
    ])
    expect([frames, listCalls('GET /cs/config').length, collector.state]).toEqual([[], 0, 'idle'])
  })

  test.each(['', 'missing', 7 as unknown as string])(
    'FRAUD-33 counts as missing for the id %j, which is recorded',
    async (id) => {
      document.body.innerHTML = '<form id="order"></form>'
      const { collector } = open()
      await start(collector)
      collector.attach(id)
      expect([collector.errors.length, document.querySelectorAll('input').length]).toEqual([1, 0])
    },
  )
})

test('the end of collection is reported on leaving a page, except in a single-page app', async () => {
  const { collector, leavePage, beacons } = open()
  await start(collector)
  leavePage()
  expect(beacons).toEqual([
    { url: `${COLLECTOR_ORIGIN}/fin`, form: `n=collect-end&com=false&et=0&s=${SESSION_ID}&m=porchlight` },
  ])
  const singlePageApp = createCollectorBrowser()
  await start(
    new DeviceCollector({ ...COLLECTOR_CONFIG, isSinglePageApp: true }, singlePageApp.ports, singlePageApp.keys),
  )
  singlePageApp.leavePage()
  expect(singlePageApp.beacons).toEqual([])
})
