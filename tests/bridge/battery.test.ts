import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Battery } from '../../bridge/cameras/battery-sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const WAKE_MS = 2000
function opened() {
  const said: string[] = []
  const note = (state: string) => () => void said.push(state)
  return {
    said,
    battery: new Battery({ waking: note('waking'), awake: note('awake'), asleep: note('asleep') }, WAKE_MS),
  }
}

test('a battery camera stays awake while it is watched and sleeps 60 s after its last viewer has left', () => {
  const { said, battery } = opened()
  battery.wake()
  vi.advanceTimersByTime(WAKE_MS)
  battery.watch(true)
  vi.advanceTimersByTime(600_000)
  battery.watch(false)
  vi.advanceTimersByTime(59_999)
  expect(said).toEqual(['waking', 'awake'])
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['waking', 'awake', 'asleep'])
})

test('somebody who comes back within the minute begins it anew when leaving', () => {
  const { said, battery } = opened()
  battery.wake()
  vi.advanceTimersByTime(WAKE_MS)
  for (const watched of [true, false, true, false]) {
    vi.advanceTimersByTime(30_000)
    battery.watch(watched)
  }
  vi.advanceTimersByTime(59_999)
  expect(said.at(-1)).toBe('awake')
  vi.advanceTimersByTime(1)
  expect(said.at(-1)).toBe('asleep')
})
