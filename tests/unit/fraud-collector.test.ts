// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { COLLECTOR_VERSION, FRAME_END } from '../../contract/fraud.ts'
import { Collector } from '../../src/services/fraud-collector/collector.ts'
import { ANSWERS, collectorBrowser, CONFIG, HOST, SESSION, VALUE } from '../support/collector-ports.ts'

const status = (code: number) => () => Response.json({}, { status: code })
const dead = () => Promise.reject(new TypeError('Failed to fetch'))
const END = { data: FRAME_END, params: { s: SESSION } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A collector in a browser, and what it told of itself. */
function open(changes: Parameters<typeof collectorBrowser>[0] = {}, answers: typeof ANSWERS = {}) {
  const browser = collectorBrowser(changes, answers)
  const collector = new Collector(CONFIG, browser.ports, browser.keys)
  const told: string[] = []
  const listen = () => {
    collector.on('collect-begin', () => told.push('begin'))
    collector.on('collect-end', () => told.push('end'))
  }
  listen()
  return { ...browser, collector, told, listen }
}
/** A value that is asked for is found 10 ms later. */
async function start(collector: Collector): Promise<void> {
  const started = collector.start(SESSION)
  await vi.advanceTimersByTimeAsync(10)
  await started
}

describe('a start', () => {
  test('FRAUD-08 that lacks something says so to who debugs alone, and asks nobody', async () => {
    const { ports, keys, debug, asked } = collectorBrowser()
    const collector = new Collector(null, ports, keys)
    await start(collector)
    await collector.run()
    expect([collector.state, debug.length, asked.length]).toEqual(['off', 1, 0])
  })
  test('FRAUD-48 keeps what it knows under its names in cookie, local and session storage', async () => {
    const { collector, cookies, local, tab } = open()
    await start(collector)
    expect([[...cookies.keys()], [...local.keys()], [...tab.keys()]]).toEqual([
      ['browser_first_party'],
      ['browser_first_party'],
      ['browser_collector_session'],
    ])
  })

  test('runs once for a session until its configuration is no longer good, also on the next page', async () => {
    const first = open()
    await start(first.collector)
    const next = open({ tab: first.ports.tab })
    await start(next.collector)
    expect(next.asked).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(next.calls('GET /cs/config')).toHaveLength(1)
  })
})

describe('a run', () => {
  test('FRAUD-13 FRAUD-44 asks for the configuration with who asks, for three seconds at most', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { collector, calls } = open()
    await start(collector)
    expect(Object.fromEntries(calls('GET /cs/config')[0]?.url.searchParams ?? [])).toEqual({
      ...{ m: 'porchlight', s: SESSION, sv: COLLECTOR_VERSION, kddcgid: 'instance1' },
    })
    expect(timeout).toHaveBeenCalledWith(3000)
    expect(calls('GET /cs/config')[0]?.init.signal).toBeInstanceOf(AbortSignal)
  })

  test('begins with the frame, and ends when it says so', async () => {
    const { collector, told, frames, say } = open()
    await start(collector)
    expect([collector.state, told, frames.length]).toEqual(['collecting', ['begin'], 1])
    say(END, 'https://other.example')
    say({ data: FRAME_END })
    expect(collector.state).toBe('collecting')
    say(END)
    expect([collector.state, told, frames.length]).toEqual(['idle', ['begin', 'end'], 0])
  })

  test('FRAUD-20 ends after three seconds where windows cannot speak', async () => {
    const { collector, told } = open({ listen: () => null })
    await start(collector)
    await vi.advanceTimersByTimeAsync(2999)
    expect(told).toEqual(['begin'])
    await vi.advanceTimersByTimeAsync(1)
    expect([told, collector.state]).toEqual([['begin', 'end'], 'idle'])
  })

  test('FRAUD-21 begins and ends at once where the host wants nothing', async () => {
    const answer = () => Response.json({ ttlms: 1000, collection: { collect: false } })
    const { collector, told, frames, calls } = open({}, { 'GET /cs/config': answer })
    await start(collector)
    expect([told, frames, calls('GET /cs/generatecookie')]).toEqual([['begin', 'end'], [], []])
  })

  test('FRAUD-22 FRAUD-26 comes again when the configuration is no longer good; who asked was called once', async () => {
    const { collector, told, calls, say, listen } = open()
    await start(collector)
    say(END)
    await vi.advanceTimersByTimeAsync(59_989)
    expect(calls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls('GET /cs/config')).toHaveLength(2)
    say(END)
    expect(told).toEqual(['begin', 'end'])
    listen()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told).toEqual(['begin', 'end', 'begin'])
  })

  test('FRAUD-23 is not joined by another', async () => {
    const { collector, calls, frames } = open()
    await start(collector)
    await Promise.all([collector.run(), collector.run()])
    expect([calls('GET /cs/config').length, frames.length]).toEqual([1, 1])
  })

  test('whose frame never says anything is given up when the next one is due', async () => {
    const { collector, calls, frames } = open()
    await start(collector)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([calls('GET /cs/config').length, frames.length, collector.state]).toEqual([2, 1, 'collecting'])
  })

  test.each([
    ['nothing', dead],
    ['an error', status(503)],
    ['a time-out', () => Promise.reject(new DOMException('Timed out', 'TimeoutError'))],
    ['something else', () => Response.json({ collection: { collect: 'yes' } })],
    ['no JSON', () => new Response('<html>')],
  ])('FRAUD-16 FRAUD-38 goes on by the defaults where %s comes as the configuration', async (_, answer) => {
    const { collector, calls, say } = open({}, { 'GET /cs/config': answer })
    await start(collector)
    expect([collector.state, collector.errors.length]).toEqual(['collecting', 1])
    say(END)
    await vi.advanceTimersByTimeAsync(899_989)
    expect(calls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls('GET /cs/config')).toHaveLength(2)
  })
})

describe('the session', () => {
  test('FRAUD-24 that is new clears what the collector kept, is told, and runs again', async () => {
    const { collector, calls, tab } = open()
    await start(collector)
    tab.set('something_else', 'stays')
    await collector.newSession('session2')
    const [post] = calls('POST /session/session2')
    expect([post?.url.search, post?.init.headers]).toEqual(['?kddcgid=instance1', { 'client-id': 'porchlight' }])
    expect(calls('GET /cs/config').map(({ url }) => url.searchParams.get('s'))).toEqual([SESSION, 'session2'])
    expect(tab.get('something_else')).toBe('stays')
    expect(tab.get('browser_collector_session')).toContain('session2')
  })

  test('FRAUD-25 that is another than the one that was kept says which that was', async () => {
    const { collector, calls, tab } = open()
    tab.set('browser_collector_session', JSON.stringify({ session: 'before', due: 9e15 }))
    await start(collector)
    expect(calls(`POST /session/${SESSION}`)[0]?.url.search).toBe('?previousSessionID=before&kddcgid=instance1')
    expect(calls(`POST /session/${SESSION}`)[0]?.init.keepalive).toBe(true)
    expect(calls('GET /cs/config')).toHaveLength(1)
  })

  test.each([200, 201])('FRAUD-50 is told when the answer is %d', async (code) => {
    const { collector, tab } = open({}, { [`POST /session/${SESSION}`]: status(code) })
    await start(collector)
    expect([collector.errors, tab.get('browser_collector_session')]).toEqual([[], expect.stringContaining(SESSION)])
  })

  test.each([202, 400, 500])('FRAUD-37 FRAUD-39 that is answered with %d is an unknown response', async (code) => {
    const { collector, debug, tab } = open({}, { [`POST /session/${SESSION}`]: status(code) })
    await start(collector)
    expect(collector.errors).toEqual([`Unknown response to the session: ${code}.`])
    expect(debug).toEqual(collector.errors)
    expect([collector.state, tab.size]).toEqual(['collecting', 0])
  })
})

describe('the first-party value', () => {
  const KEY = 'browser_first_party'
  const OTHER = 'another-value-of-this'

  test('FRAUD-27 is asked for where there is none', async () => {
    const { collector, calls, local, cookies } = open()
    await start(collector)
    expect([calls('GET /cs/generatecookie').length, calls('POST /cs/storecookie').length]).toEqual([1, 0])
    expect([local.get(KEY), cookies.get(KEY)]).toEqual([VALUE, VALUE])
  })

  test.each(['local', 'cookies'] as const)('FRAUD-28 is copied from %s to the other', async (from) => {
    const browser = open()
    browser[from].set(KEY, OTHER)
    await start(browser.collector)
    expect([browser.local.get(KEY), browser.cookies.get(KEY)]).toEqual([OTHER, OTHER])
  })

  test('FRAUD-29 of local storage wins', async () => {
    const { collector, local, cookies } = open()
    local.set(KEY, OTHER)
    cookies.set(KEY, VALUE)
    await start(collector)
    expect([local.get(KEY), cookies.get(KEY)]).toEqual([OTHER, OTHER])
  })

  test('FRAUD-49 that is kept is checked, and stays with 200', async () => {
    const { collector, local, calls } = open()
    local.set(KEY, OTHER)
    await start(collector)
    const form = calls('POST /cs/storecookie')[0]?.init.body as URLSearchParams
    expect(Object.fromEntries(form)).toEqual({
      ...{ m: 'porchlight', s: SESSION, sv: COLLECTOR_VERSION, kddcgid: 'instance1', k: OTHER },
    })
    expect([local.get(KEY), collector.errors]).toEqual([OTHER, []])
  })

  test('FRAUD-30 that the host refuses is replaced', async () => {
    const { collector, local, cookies } = open({}, { 'POST /cs/storecookie': status(500) })
    local.set(KEY, OTHER)
    await start(collector)
    expect([local.get(KEY), cookies.get(KEY)]).toEqual([VALUE, VALUE])
  })

  test.each([
    ['403', status(403)],
    ['nothing', dead],
  ])('OPEN-97 that is answered with %s stays, with a note', async (_, answer) => {
    const { collector, local } = open({}, { 'POST /cs/storecookie': answer })
    local.set(KEY, OTHER)
    await start(collector)
    expect([local.get(KEY), collector.errors.length]).toEqual([OTHER, 1])
  })

  test.each([
    ['nothing', dead],
    ['markup', () => Response.json({ value: '<script>' })],
  ])('FRAUD-40 for which %s comes is missed after two seconds, and nothing is collected', async (_, answer) => {
    const { collector, told, frames } = open({}, { 'GET /cs/generatecookie': answer })
    const started = collector.start(SESSION)
    await vi.advanceTimersByTimeAsync(1999)
    expect(collector.state).toBe('first-party')
    await vi.advanceTimersByTimeAsync(1)
    await started
    expect(collector.errors).toContain('Invalid/Missing First Party cookie')
    expect([told, frames, collector.state]).toEqual([[], [], 'idle'])
  })

  test('FRAUD-45 is looked for every 10 ms', async () => {
    let answer: (value: Response) => void = () => undefined
    const late = new Promise<Response>((resolve) => (answer = resolve))
    const { collector } = open({}, { 'GET /cs/generatecookie': () => late })
    const started = collector.start(SESSION)
    await vi.advanceTimersByTimeAsync(1005)
    answer(Response.json({ value: VALUE }))
    await vi.advanceTimersByTimeAsync(4)
    expect(collector.state).toBe('first-party')
    await vi.advanceTimersByTimeAsync(1)
    await started
    expect(collector.state).toBe('collecting')
  })
})

describe('a form', () => {
  test('FRAUD-34 FRAUD-35 takes the session along in a hidden field, by the default name or another', async () => {
    document.body.innerHTML = '<form id="order"></form>'
    const { collector } = open()
    await start(collector)
    collector.attach('order')
    collector.attach('order', 'device')
    const fields = [...document.querySelectorAll('input')].map(({ type, name, value }) => [type, name, value])
    expect(fields).toEqual([
      ['hidden', 'sessionId', SESSION],
      ['hidden', 'device', SESSION],
    ])
  })

  test.each(['', 'missing', 7 as unknown as string])('FRAUD-33 by the id %j is none, which is noted', async (id) => {
    document.body.innerHTML = '<form id="order"></form>'
    const { collector } = open()
    await start(collector)
    collector.attach(id)
    expect([collector.errors.length, document.querySelectorAll('input').length]).toEqual([1, 0])
  })
})

test('the end is told when a page is left that is not the only one', async () => {
  const { collector, leave, beacons } = open()
  await start(collector)
  leave()
  expect(beacons).toEqual([{ url: `${HOST}/fin`, form: `n=collect-end&com=false&et=0&s=${SESSION}&m=porchlight` }])
  const only = collectorBrowser()
  await start(new Collector({ ...CONFIG, isSinglePageApp: true }, only.ports, only.keys))
  only.leave()
  expect(only.beacons).toEqual([])
})
