// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFeedConnection, $greeting } from '../../../src/stores/home/feed-connection.ts'
import { onFeedBreak } from '../../../src/stores/home/feed-reconnect.ts'

type Line = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'close'>

const lines: Line[] = []
const received: string[] = []
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  lines.length = 0
  received.length = 0
  $greeting.set({ count: 0, at: 0 })
  stop = onFeedBreak(() => received.push('missed'))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function open() {
  const feed = createFeedConnection({
    address: () => Promise.resolve('ws://feed'),
    connect() {
      const line: Line = { onopen: null, onmessage: null, onclose: null, close: () => undefined }
      lines.push(line)
      return line as WebSocket
    },
    random: () => 1,
  })
  feed.on(({ type }) => received.push(type))
  feed.open()
}
async function greet() {
  await vi.advanceTimersByTimeAsync(60_000)
  lines.at(-1)?.onmessage?.call({} as WebSocket, { data: '{"type":"hello","now":1}' } as MessageEvent)
}
const breakOff = () => lines.at(-1)?.onclose?.call({} as WebSocket, {} as CloseEvent)

test('each feed break is reported after the list receives the greeting; the first connection is not', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(2000)
  open()
  await greet()
  expect(received).toEqual(['hello'])
  for (const _break of [1, 2]) {
    breakOff()
    await greet()
  }
  expect(received).toEqual(['hello', 'hello', 'missed', 'hello', 'missed'])
})

test('a late first connection is reported as a feed break', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(16_000)
  open()
  await greet()
  expect(received).toEqual(['hello', 'missed'])
})

test('a feed break is reported once the page is visible', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(2000)
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  open()
  await greet()
  breakOff()
  await greet()
  expect(received).not.toContain('missed')
  hidden.mockReturnValue(false)
  document.dispatchEvent(new window.Event('visibilitychange'))
  document.dispatchEvent(new window.Event('visibilitychange'))
  expect(received).toEqual(['hello', 'hello', 'missed'])
})
