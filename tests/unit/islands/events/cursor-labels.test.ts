import { expect, test } from 'vitest'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import type { CameraStrip } from '../../../../src/islands/events/timeline/camera-strips.ts'
import { hoverLabel } from '../../../../src/islands/events/timeline/cursor-labels.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

const NOW = new Date(2026, 10, 29, 12).getTime()
const BEGIN = new Date(2026, 10, 29, 1, 30).getTime()

test('the label of a time without a tick says since when the camera was in its state, how long, and why', () => {
  const run: TimelineRun = [BEGIN, BEGIN + 9 * HOUR_MS, 'asleep', 'No motion']
  // The view shows only the end of the state.
  const visible = { run: [BEGIN + 2 * HOUR_MS, run[1], run[2], run[3]] as TimelineRun, state: 'asleep' as const }
  const strip = { runs: [run], visible: [visible] } as unknown as CameraStrip
  expect(hoverLabel(strip, BEGIN + 3 * HOUR_MS, NOW)).toEqual({
    title: '04:30 · Asleep from 01:30:00 · 9 h',
    reason: 'No motion',
  })
  expect(hoverLabel(strip, BEGIN, NOW)).toBeNull()
})
