import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PacketPacer } from '../../../bridge/webrtc/packet-pacer.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function createPacer() {
  const sent: number[] = []
  const pacerUnderTest = new PacketPacer((packet) => void sent.push(packet.timestamp))
  const push = (count: number, from = 0) => {
    for (let i = from; i < from + count; i++)
      pacerUnderTest.push({ payload: Buffer.alloc(1), timestamp: i, marker: false })
  }
  return { pacerUnderTest, sent, push }
}

test('the frames of a small camera are sent immediately', () => {
  const { sent, push } = createPacer()
  push(50)
  expect(sent).toHaveLength(50)
})

test('a long burst is sent in portions and in order, with live packets after it', () => {
  const { sent, push } = createPacer()
  push(120)
  expect(sent).toHaveLength(50)
  vi.advanceTimersByTime(5)
  expect(sent).toHaveLength(100)
  push(10, 120)
  vi.advanceTimersByTime(5)
  expect(sent).toEqual(Array.from({ length: 130 }, (_, i) => i))
})

test('nothing is sent after the pacer stops', () => {
  const { pacerUnderTest, sent, push } = createPacer()
  push(60)
  pacerUnderTest.stop()
  vi.advanceTimersByTime(100)
  expect(sent).toHaveLength(50)
})
