import { expect, test } from 'vitest'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import { formatDaySummary } from '../../../../src/domain/copy/camera-day.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const createRun = (from: number, to: number, state: TimelineRun[2]): TimelineRun => [
  from * MINUTE_MS,
  to * MINUTE_MS,
  state,
  '',
]

test('the camera day summary totals the time on and in other states', () => {
  const runs = [
    createRun(0, 60, 'live_only'),
    createRun(60, 62, 'recorded'),
    createRun(62, 80, 'offline'),
    createRun(80, 88, 'bridge_off'),
    createRun(88, 100, 'asleep'),
    createRun(100, 400, 'unknown'),
  ]
  expect(formatDaySummary(runs)).toBe('online 1 h 2 min, asleep 12 min, offline 26 min')
})

test('the camera day summary omits states under a minute and is empty at the start of a day', () => {
  expect(formatDaySummary([createRun(0, 0.5, 'offline'), createRun(0.5, 30, 'live_only')])).toBe('online 30 min')
  expect(formatDaySummary([createRun(0, 0.5, 'live_only')])).toBe('')
})
