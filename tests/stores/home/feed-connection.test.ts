// @vitest-environment jsdom
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FEED_CHECK_TEXT, type FeedMessage } from '../../../contract/events/feed.ts'
import { createFeedConnection, parseFeedMessage, computeFeedRetryMs } from '../../../src/stores/home/feed-connection.ts'

class FakeSocket {
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  closed = false
  readonly sent: string[] = []
  readonly url: string
  constructor(url: string) {
    this.url = url
  }
  close() {
    this.closed = true
    this.onclose?.()
  }
  send(message: string) {
    this.sent.push(message)
  }
  receive(message: unknown) {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) })
  }
}

function createFeed(urls: (string | null)[]) {
  const sockets: FakeSocket[] = []
  const feed = createFeedConnection({
    fetchUrl: () => Promise.resolve(urls.shift() ?? null),
    createSocket(url) {
      const socket = new FakeSocket(url)
      sockets.push(socket)
      return socket as unknown as WebSocket
    },
    random: () => 1,
  })
  const received: FeedMessage[] = []
  feed.subscribe((message) => received.push(message))
  return { feed, sockets, received }
}

const flush = () => vi.advanceTimersByTimeAsync(0)

describe('home feed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('makes one connection however often it is opened', async () => {
    const { feed, sockets } = createFeed(['ws://a', 'ws://b'])
    feed.open()
    feed.open()
    await flush()
    feed.open()
    expect(sockets.map((socket) => socket.url)).toEqual(['ws://a&checks=1'])
  })

  test('passes messages that match the contract to every listener', async () => {
    const { feed, sockets, received } = createFeed(['ws://a'])
    feed.open()
    await flush()
    sockets[0]?.receive({ type: 'hello', now: 5 })
    sockets[0]?.receive('not JSON')
    sockets[0]?.receive({ type: 'removed', event_ids: ['../../..'] })
    sockets[0]?.receive({ type: 'reviewed', event_ids: ['e1'] })
    expect(received).toEqual([
      { type: 'hello', now: 5 },
      { type: 'reviewed', event_ids: ['e1'] },
    ])
  })

  test('stops calling a listener after it unsubscribes', async () => {
    const { feed, sockets, received } = createFeed(['ws://a'])
    const other: string[] = []
    const leave = feed.subscribe((message) => other.push(message.type))
    feed.open()
    await flush()
    sockets[0]?.receive({ type: 'access' })
    leave()
    sockets[0]?.receive({ type: 'access' })
    expect([received.length, other.length]).toEqual([2, 1])
  })

  test('reconnects with a new URL after the connection breaks', async () => {
    const { feed, sockets, received } = createFeed(['ws://a', 'ws://b'])
    feed.open()
    await flush()
    sockets[0]?.onopen?.()
    expect(feed.$state.get()).toBe('open')
    sockets[0]?.onclose?.()
    expect(feed.$state.get()).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets[1]?.url).toBe('ws://b&checks=1')
    sockets[1]?.receive({ type: 'hello', now: 9 })
    expect(received).toEqual([{ type: 'hello', now: 9 }])
  })

  test('backs off after each failure and resets the delay after a message', async () => {
    const { feed, sockets } = createFeed([null, null, 'ws://a', 'ws://b'])
    feed.open()
    await flush()
    await vi.advanceTimersByTimeAsync(1000)
    await vi.advanceTimersByTimeAsync(1999)
    expect(sockets).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(1)
    sockets[0]?.receive({ type: 'hello', now: 1 })
    sockets[0]?.onclose?.()
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets).toHaveLength(2)
  })

  test('stays closed if it was closed while waiting for a URL', async () => {
    const { feed, sockets } = createFeed(['ws://a'])
    feed.open()
    feed.close()
    await flush()
    expect([sockets.length, feed.$state.get()]).toEqual([0, 'closed'])
  })

  test('never waits more than 30 seconds or less than half a second', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
        const delay = computeFeedRetryMs(failures, random)
        return delay >= 500 && delay <= 30_000
      }),
    )
  })

  test('accepts only text as a message', () => {
    expect(parseFeedMessage(new ArrayBuffer(4))).toBeNull()
  })
})

describe('checks of the bridges', () => {
  let isHidden = false
  beforeEach(() => {
    vi.useFakeTimers()
    isHidden = false
    vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const setHidden = (value: boolean) => {
    isHidden = value
    document.dispatchEvent(new Event('visibilitychange'))
  }
  async function openChecked(next_ms: number) {
    const opened = createFeed(['ws://a', 'ws://b'])
    opened.feed.open()
    await flush()
    const [socket] = opened.sockets
    if (!socket) throw new Error('The feed opened no socket.')
    socket.receive({ type: 'hello', now: 1 })
    socket.receive({ type: 'checked', next_ms })
    return { ...opened, socket }
  }

  test('are requested when the provider names, and again after 5 s without a response', async () => {
    const { socket, received } = await openChecked(20_000)
    await vi.advanceTimersByTimeAsync(19_999)
    expect(socket.sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(socket.sent).toEqual([FEED_CHECK_TEXT])
    socket.receive({ type: 'checked', next_ms: 10_000 })
    await vi.advanceTimersByTimeAsync(15_000)
    expect(socket.sent).toHaveLength(3)
    expect(received).toEqual([{ type: 'hello', now: 1 }])
  })

  test('are not requested from a provider that sends no check responses', async () => {
    const { feed, sockets } = createFeed(['ws://a'])
    feed.open()
    await flush()
    sockets[0]?.receive({ type: 'hello', now: 1 })
    setHidden(false)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(sockets[0]?.sent).toEqual([])
  })

  test('stop while the page is hidden, and a page that becomes visible requests one immediately', async () => {
    const { socket } = await openChecked(20_000)
    setHidden(true)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(socket.sent).toEqual([])
    setHidden(false)
    expect(socket.sent).toEqual([FEED_CHECK_TEXT])
  })

  test('stop when the connection breaks, until the provider responds on the next one', async () => {
    const { socket, sockets } = await openChecked(20_000)
    socket.close()
    await vi.advanceTimersByTimeAsync(120_000)
    expect([socket.sent, sockets[1]?.sent]).toEqual([[], []])
    sockets[1]?.receive({ type: 'checked', next_ms: 1000 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets[1]?.sent).toEqual([FEED_CHECK_TEXT])
  })
})
