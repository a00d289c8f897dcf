import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BatterySleep } from '../../../bridge/cameras/battery-sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const WAKE_DURATION_MS = 2000
function createBattery() {
  const states: string[] = []
  const recordState = (state: string) => () => void states.push(state)
  return {
    states,
    battery: new BatterySleep(
      { onWaking: recordState('waking'), onAwake: recordState('awake'), onAsleep: recordState('asleep') },
      WAKE_DURATION_MS,
    ),
  }
}

test('a battery camera stays awake while it is watched and sleeps 60 s after its last viewer leaves', () => {
  const { states, battery } = createBattery()
  battery.wake()
  vi.advanceTimersByTime(WAKE_DURATION_MS)
  battery.setWatched(true)
  vi.advanceTimersByTime(600_000)
  battery.setWatched(false)
  vi.advanceTimersByTime(59_999)
  expect(states).toEqual(['waking', 'awake'])
  vi.advanceTimersByTime(1)
  expect(states).toEqual(['waking', 'awake', 'asleep'])
})

test('a viewer who returns within the minute restarts the sleep delay on leaving', () => {
  const { states, battery } = createBattery()
  battery.wake()
  vi.advanceTimersByTime(WAKE_DURATION_MS)
  for (const watched of [true, false, true, false]) {
    vi.advanceTimersByTime(30_000)
    battery.setWatched(watched)
  }
  vi.advanceTimersByTime(59_999)
  expect(states.at(-1)).toBe('awake')
  vi.advanceTimersByTime(1)
  expect(states.at(-1)).toBe('asleep')
})
