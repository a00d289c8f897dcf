import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pacer } from '../../../bridge/webrtc/packet-pacer.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function pacer() {
  const sent: number[] = []
  const made = new Pacer((packet) => void sent.push(packet.timestamp))
  const push = (count: number, from = 0) => {
    for (let i = from; i < from + count; i++) made.push({ payload: Buffer.alloc(1), timestamp: i, marker: false })
  }
  return { made, sent, push }
}

test('the pictures of a small camera go out at once', () => {
  const { sent, push } = pacer()
  push(50)
  expect(sent).toHaveLength(50)
})

test('a long burst goes out in portions and in order, what is live behind it', () => {
  const { sent, push } = pacer()
  push(120)
  expect(sent).toHaveLength(50)
  vi.advanceTimersByTime(5)
  expect(sent).toHaveLength(100)
  push(10, 120)
  vi.advanceTimersByTime(5)
  expect(sent).toEqual(Array.from({ length: 130 }, (_, i) => i))
})

test('nothing is sent after the end', () => {
  const { made, sent, push } = pacer()
  push(60)
  made.stop()
  vi.advanceTimersByTime(100)
  expect(sent).toHaveLength(50)
})
