import { expect, test } from 'vitest'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import { daySums } from '../../../../src/domain/copy/camera-day.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const run = (from: number, to: number, state: TimelineRun[2]): TimelineRun => [
  from * MINUTE_MS,
  to * MINUTE_MS,
  state,
  '',
]

test('the camera day summary totals the time on and in other states', () => {
  const runs = [
    run(0, 60, 'live_only'),
    run(60, 62, 'recorded'),
    run(62, 80, 'offline'),
    run(80, 88, 'bridge_off'),
    run(88, 100, 'asleep'),
    run(100, 400, 'unknown'),
  ]
  expect(daySums(runs)).toBe('on 1 h 2 min, asleep 12 min, offline 26 min')
})

test('the camera day summary omits states under a minute and is empty at the start of a day', () => {
  expect(daySums([run(0, 0.5, 'offline'), run(0.5, 30, 'live_only')])).toBe('on 30 min')
  expect(daySums([run(0, 0.5, 'live_only')])).toBe('')
})
