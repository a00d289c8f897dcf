import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import { roundedDurationLabel } from '../time/date-formats.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'

/** States in which a camera was on and its live stream was available. */
const ON_STATES: readonly TimelineState[] = [
  'recorded',
  'live_only',
  'not_kept',
  'expired',
  'freed',
  'not_indexed',
  'not_watched',
]
const OTHER_STATES: readonly (readonly [word: string, states: readonly TimelineState[]])[] = [
  ['asleep', ['asleep']],
  ['turned off', ['switched_off']],
  ['offline', ['offline', 'bridge_off']],
]

/** Summarizes a camera's day so far: `online 9 h 25 min, offline 26 min`; '' if every total is under a minute. */
export function formatDaySummary(segments: readonly TimelineRun[]): string {
  const sum = (states: readonly TimelineState[]) =>
    segments.reduce((total, [from, to, state]) => total + (states.includes(state) ? to - from : 0), 0)
  return [['online', ON_STATES] as const, ...OTHER_STATES]
    .map(([word, states]) => ({ word, ms: sum(states) }))
    .filter(({ ms }) => ms >= MINUTE_MS)
    .map(({ word, ms }) => `${word} ${roundedDurationLabel(ms)}`)
    .join(', ')
}
