// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { COLLECTOR_VERSION, FRAME_END_MESSAGE } from '../../../../contract/telemetry/device-collector.ts'
import { DeviceCollector } from '../../../../src/services/device-collector/device-collector.ts'
import {
  DEFAULT_RESPONSES,
  createCollectorBrowser,
  respondWithConfig,
  failNetwork,
  FEATURE_FLAGS,
  neverRespond,
  SESSION_ID,
  respondWithStatus,
  openCollector as open,
  startCollector as start,
} from '../../../support/collector-ports.ts'

/** Options for a page that the user has left. Its idle task never runs. */
const LEFT_PAGE = { whenIdle: () => undefined }
const END_MESSAGE = { data: FRAME_END_MESSAGE, params: { s: SESSION_ID } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('collector start', () => {
  test('FRAUD-08 with a missing setting writes only a debug log, and sends no request', async () => {
    const { ports, keys, debug, requests } = createCollectorBrowser()
    const collector = new DeviceCollector(null, ports, keys)
    await start(collector)
    await collector.run()
    expect([collector.state, debug.length, requests.length]).toEqual(['off', 1, 0])
  })
  test('FRAUD-48 stores its data under its names in cookie, local and session storage', async () => {
    const { collector, cookies, localEntries, tabEntries } = open()
    await start(collector)
    expect([[...cookies.keys()], [...localEntries.keys()].toSorted(), [...tabEntries]]).toEqual([
      ['browser_first_party'],
      ['browser_collector_due', 'browser_first_party'],
      [['browser_collector_session', SESSION_ID]],
    ])
  })

  test('runs once per session until its configuration expires, also in the next tab', async () => {
    const first = open(LEFT_PAGE, { 'GET /cs/config': respondWithConfig({ ttlms: 120_000 }) })
    await start(first.collector)
    first.sendMessage(END_MESSAGE)
    const next = open({ localStorage: first.ports.localStorage })
    await start(next.collector)
    await vi.advanceTimersByTimeAsync(119_989)
    expect(next.requests).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(next.listCalls('GET /cs/config')).toHaveLength(1)
  })

  test('runs a minute after a page that was left before the end of its run', async () => {
    const first = open(LEFT_PAGE)
    await start(first.collector)
    expect(first.collector.state).toBe('collecting')
    const next = open({ localStorage: first.ports.localStorage })
    await start(next.collector)
    await vi.advanceTimersByTimeAsync(59_979)
    expect(next.requests).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(next.listCalls('GET /cs/config')).toHaveLength(1)
  })

  test('contacts a dead host from one page a minute, and reports another session immediately', async () => {
    const answers = Object.fromEntries(Object.keys(DEFAULT_RESPONSES).map((call) => [call, failNetwork]))
    const first = open({}, answers)
    const { localStorage, tabStorage } = first.ports
    void first.collector.start(SESSION_ID)
    await vi.advanceTimersByTimeAsync(3000)
    expect([first.requests.length > 0, first.collector.state]).toEqual([true, 'idle'])
    for (let more = 0; more < 3; more += 1) {
      const page = open({ localStorage, tabStorage }, answers)
      await start(page.collector)
      expect(page.requests).toEqual([])
    }
    const other = open({ localStorage, tabStorage }, answers)
    void other.collector.start('session2')
    expect(other.listCalls('POST /session/session2')).toHaveLength(1)
    expect(other.listCalls('GET /cs/config')).toHaveLength(1)
  })

  test.each([
    '{',
    '7',
    '{"session":"session1"}',
    '{"session":"session1","due":9e15}',
    '{"session":"other","due":60000}',
  ])('ignores %s as the due time', async (text) => {
    const { collector, localEntries, listCalls } = open()
    localEntries.set('browser_collector_due', text)
    await start(collector)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
  })
})

describe('collector run', () => {
  test('FRAUD-13 FRAUD-44 fetches the configuration with its own ids and a timeout of three seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { collector, listCalls } = open()
    await start(collector)
    expect(Object.fromEntries(listCalls('GET /cs/config')[0]?.url.searchParams ?? [])).toEqual({
      m: 'porchlight',
      s: SESSION_ID,
      sv: COLLECTOR_VERSION,
      kddcgid: 'instance1',
    })
    expect(timeout).toHaveBeenCalledWith(3000)
    expect(listCalls('GET /cs/config')[0]?.init.signal).toBeInstanceOf(AbortSignal)
  })

  test('starts with the frame, and ends when the frame reports the end', async () => {
    const { collector, phases, frames, sendMessage } = open()
    await start(collector)
    expect([collector.state, phases, frames.length]).toEqual(['collecting', ['begin'], 1])
    sendMessage(END_MESSAGE, 'https://other.example')
    sendMessage({ data: FRAME_END_MESSAGE })
    expect(collector.state).toBe('collecting')
    sendMessage(END_MESSAGE)
    expect([collector.state, phases, frames.length]).toEqual(['idle', ['begin', 'end'], 0])
  })

  test('FRAUD-20 ends after three seconds if windows cannot exchange messages', async () => {
    const { collector, phases } = open({ listen: () => null })
    await start(collector)
    await vi.advanceTimersByTimeAsync(2999)
    expect(phases).toEqual(['begin'])
    await vi.advanceTimersByTimeAsync(1)
    expect([phases, collector.state]).toEqual([['begin', 'end'], 'idle'])
  })

  test('FRAUD-21 starts and ends immediately if the host wants no collection', async () => {
    const { collector, phases, frames, listCalls } = open(
      {},
      { 'GET /cs/config': respondWithConfig({ collection: { collect: false } }) },
    )
    await start(collector)
    expect([phases, frames, listCalls('GET /cs/generatecookie')]).toEqual([['begin', 'end'], [], []])
  })

  test.each([0, -1, 59_999])('FRAUD-22 repeats after a minute if the host says %d ms', async (ttlms) => {
    const { collector, listCalls } = open(
      {},
      { 'GET /cs/config': respondWithConfig({ ttlms, collection: { collect: false } }) },
    )
    await start(collector)
    await vi.advanceTimersByTimeAsync(59_989)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(listCalls('GET /cs/config')).toHaveLength(11)
  })

  test.each([3e9, 1e300])('repeats after a day if the host says %d ms', async (ttlms) => {
    const { collector, listCalls } = open(
      {},
      { 'GET /cs/config': respondWithConfig({ ttlms, collection: { collect: false } }) },
    )
    await start(collector)
    await vi.advanceTimersByTimeAsync(86_399_989)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(listCalls('GET /cs/config')).toHaveLength(2)
  })

  test('limits what the frame may collect in the URL fragment', async () => {
    const flags = { ...FEATURE_FLAGS, battery: false, exp: false, page: false }
    const answer = respondWithConfig({ collection: { collect: true, feature_flags: flags } })
    const { collector, frames } = open({}, { 'GET /cs/config': answer })
    await start(collector)
    const { pathname, searchParams, hash } = new URL(frames[0] ?? '')
    expect([pathname, [...searchParams.keys()], hash]).toEqual([
      '/logo.htm',
      ['m', 's', 'sv', 'kddcgid'],
      '#app,browser,ui',
    ])
  })

  test('waits for an idle moment of the page before it repeats', async () => {
    const idle: (() => void)[] = []
    const { collector, listCalls, sendMessage } = open({ whenIdle: (task) => void idle.push(task) })
    await start(collector)
    sendMessage(END_MESSAGE)
    await vi.advanceTimersByTimeAsync(120_000)
    expect([listCalls('GET /cs/config').length, idle.length]).toEqual([1, 1])
    idle[0]?.()
    expect(listCalls('GET /cs/config')).toHaveLength(2)
  })

  test('repeats later if another tab has run in the meantime', async () => {
    const { collector, listCalls, localEntries, sendMessage } = open()
    await start(collector)
    sendMessage(END_MESSAGE)
    localEntries.set('browser_collector_due', JSON.stringify({ session: SESSION_ID, due: Date.now() + 90_000 }))
    await vi.advanceTimersByTimeAsync(89_999)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(listCalls('GET /cs/config')).toHaveLength(2)
  })

  test('repeats a minute later if it is blocked by a run in progress', async () => {
    const { collector, listCalls } = open({}, { 'GET /cs/config': neverRespond })
    void collector.start(SESSION_ID)
    await vi.advanceTimersByTimeAsync(150_000)
    expect([listCalls('GET /cs/config').length, collector.state]).toEqual([1, 'configuring'])
    expect(vi.getTimerCount()).toBe(1)
  })

  test('FRAUD-22 FRAUD-26 repeats when the configuration expires; each callback is called once', async () => {
    const { collector, phases, listCalls, sendMessage, listen } = open()
    await start(collector)
    sendMessage(END_MESSAGE)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(listCalls('GET /cs/config')).toHaveLength(2)
    sendMessage(END_MESSAGE)
    expect(phases).toEqual(['begin', 'end'])
    listen()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(phases).toEqual(['begin', 'end', 'begin'])
  })

  test('FRAUD-23 is not joined by another run', async () => {
    const { collector, listCalls, frames } = open()
    await start(collector)
    await Promise.all([collector.run(), collector.run()])
    expect([listCalls('GET /cs/config').length, frames.length]).toEqual([1, 1])
  })

  test('with a silent frame times out after half a minute, without reporting an end', async () => {
    const { collector, listCalls, frames, phases } = open()
    await start(collector)
    await vi.advanceTimersByTimeAsync(29_999)
    expect([frames.length, collector.state]).toEqual([1, 'collecting'])
    await vi.advanceTimersByTimeAsync(1)
    expect([frames.length, collector.state, phases]).toEqual([0, 'idle', ['begin']])
    expect(collector.errors).toEqual(['The collector frame didn’t respond.'])
    await vi.advanceTimersByTimeAsync(30_000)
    expect([listCalls('GET /cs/config').length, frames.length]).toEqual([2, 1])
  })

  test.each([
    ['missing', failNetwork],
    ['an error', respondWithStatus(503)],
    ['a timeout', () => Promise.reject(new DOMException('Timed out', 'TimeoutError'))],
    ['in another format', () => Response.json({ collection: { collect: 'yes' } })],
    ['not JSON', () => new Response('<html>')],
  ])('FRAUD-16 FRAUD-38 continues with the defaults if the configuration response is %s', async (_, answer) => {
    const { collector, listCalls, sendMessage } = open({}, { 'GET /cs/config': answer })
    await start(collector)
    expect([collector.state, collector.errors.length]).toEqual(['collecting', 1])
    sendMessage(END_MESSAGE)
    await vi.advanceTimersByTimeAsync(899_999)
    expect(listCalls('GET /cs/config')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(listCalls('GET /cs/config')).toHaveLength(2)
  })
})
