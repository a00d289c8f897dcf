import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Battery } from '../../../bridge/cameras/battery-sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const WAKE_MS = 2000
function opened() {
  const states: string[] = []
  const recordState = (state: string) => () => void states.push(state)
  return {
    said: states,
    battery: new Battery(
      { waking: recordState('waking'), awake: recordState('awake'), asleep: recordState('asleep') },
      WAKE_MS,
    ),
  }
}

test('a battery camera stays awake while it is watched and sleeps 60 s after its last viewer leaves', () => {
  const { said: states, battery } = opened()
  battery.wake()
  vi.advanceTimersByTime(WAKE_MS)
  battery.watch(true)
  vi.advanceTimersByTime(600_000)
  battery.watch(false)
  vi.advanceTimersByTime(59_999)
  expect(states).toEqual(['waking', 'awake'])
  vi.advanceTimersByTime(1)
  expect(states).toEqual(['waking', 'awake', 'asleep'])
})

test('a viewer who returns within the minute restarts the sleep delay on leaving', () => {
  const { said: states, battery } = opened()
  battery.wake()
  vi.advanceTimersByTime(WAKE_MS)
  for (const watched of [true, false, true, false]) {
    vi.advanceTimersByTime(30_000)
    battery.watch(watched)
  }
  vi.advanceTimersByTime(59_999)
  expect(states.at(-1)).toBe('awake')
  vi.advanceTimersByTime(1)
  expect(states.at(-1)).toBe('asleep')
})
