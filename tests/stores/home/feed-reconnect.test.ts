// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFeedConnection, $feedHello } from '../../../src/stores/home/feed-connection.ts'
import { onFeedReconnect } from '../../../src/stores/home/feed-reconnect.ts'

type FakeSocket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'close'>

const sockets: FakeSocket[] = []
const received: string[] = []
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  sockets.length = 0
  received.length = 0
  $feedHello.set({ count: 0, at: 0 })
  stop = onFeedReconnect(() => received.push('missed'))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function openFeed() {
  const feed = createFeedConnection({
    fetchUrl: () => Promise.resolve('ws://feed'),
    createSocket() {
      const socket: FakeSocket = { onopen: null, onmessage: null, onclose: null, close: () => undefined }
      sockets.push(socket)
      return socket as WebSocket
    },
    random: () => 1,
  })
  feed.subscribe(({ type }) => received.push(type))
  feed.open()
}
async function receiveGreeting() {
  await vi.advanceTimersByTimeAsync(60_000)
  sockets.at(-1)?.onmessage?.call({} as WebSocket, { data: '{"type":"hello","now":1}' } as MessageEvent)
}
const closeConnection = () => sockets.at(-1)?.onclose?.call({} as WebSocket, {} as CloseEvent)

test('each feed break is reported after the list receives the greeting; the first connection is not', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(2000)
  openFeed()
  await receiveGreeting()
  expect(received).toEqual(['hello'])
  for (const _break of [1, 2]) {
    closeConnection()
    await receiveGreeting()
  }
  expect(received).toEqual(['hello', 'hello', 'missed', 'hello', 'missed'])
})

test('a late first connection is reported as a feed break', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(16_000)
  openFeed()
  await receiveGreeting()
  expect(received).toEqual(['hello', 'missed'])
})

test('a feed break is reported once the page is visible', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(2000)
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  openFeed()
  await receiveGreeting()
  closeConnection()
  await receiveGreeting()
  expect(received).not.toContain('missed')
  hidden.mockReturnValue(false)
  document.dispatchEvent(new window.Event('visibilitychange'))
  document.dispatchEvent(new window.Event('visibilitychange'))
  expect(received).toEqual(['hello', 'hello', 'missed'])
})
