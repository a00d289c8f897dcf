import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WEBRTC_HOLD_MS, WebRtcHold } from '../../../../src/media/live/webrtc-hold.ts'

const connected: string[] = []
const hold = (name: string) => new WebRtcHold(() => connected.push(name))

beforeEach(() => {
  vi.useFakeTimers()
  connected.length = 0
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('connects all cameras once every relay shows a frame', () => {
  const [porch, garden, garage] = [hold('porch'), hold('garden'), hold('garage')]
  porch.settle()
  garden.settle()
  expect(connected).toEqual([])
  garage.settle()
  expect(connected).toEqual(['porch', 'garden', 'garage'])
})

test('connects a single camera at its first frame', () => {
  hold('porch').settle()
  expect(connected).toEqual(['porch'])
})

test('connects each camera after the maximum time, although another relay still starts', () => {
  const porch = hold('porch')
  porch.settle()
  expect(connected).toEqual(['porch'])
  const garden = hold('garden')
  vi.advanceTimersByTime(WEBRTC_HOLD_MS - 1)
  hold('garage')
  garden.settle()
  expect(connected).toEqual(['porch'])
  vi.advanceTimersByTime(1)
  expect(connected).toEqual(['porch', 'garden'])
  vi.advanceTimersByTime(WEBRTC_HOLD_MS)
  expect(connected).toEqual(['porch', 'garden', 'garage'])
})

test('a canceled attempt neither connects nor holds the others back', () => {
  const [porch, garden] = [hold('porch'), hold('garden')]
  porch.settle()
  garden.cancel()
  expect(connected).toEqual(['porch'])
  vi.advanceTimersByTime(WEBRTC_HOLD_MS)
  expect(connected).toEqual(['porch'])
})

test('connects once, also if its relay fails and later ends', () => {
  const porch = hold('porch')
  porch.release()
  porch.settle()
  porch.cancel()
  vi.advanceTimersByTime(WEBRTC_HOLD_MS)
  expect(connected).toEqual(['porch'])
})
