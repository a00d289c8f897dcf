import type { MotionTrial } from '../../contract/cameras/camera-settings.ts'

/** How far back settings can be tried, ms. */
export const TRIAL_MS = 3_600_000
/** What a trial tells at most. */
const EVENTS_MAX = 1000

/** Something that moved, ms UTC; `event_id`: its event. */
export interface Stretch {
  readonly begin: number
  readonly end: number
  readonly event_id?: string
}

/** What became events held against what would have: an event is kept when something of it would be recorded. */
export function compareStretches(recorded: readonly Stretch[], would: readonly Stretch[]): MotionTrial['events'] {
  const meets = (one: Stretch) => (other: Stretch) => one.begin <= other.end && other.begin <= one.end
  const known = recorded.map((one) => told(one, would.some(meets(one)) ? 'kept' : 'lost'))
  const added = would.filter((one) => !recorded.some(meets(one))).map(({ begin, end }) => told({ begin, end }, 'new'))
  return [...known, ...added].sort((a, b) => b.begin - a.begin).slice(0, EVENTS_MAX)
}

function told({ begin, end, event_id }: Stretch, outcome: MotionTrial['events'][number]['outcome']) {
  return { begin: Math.round(begin), end: Math.round(end), outcome, event_id: event_id ?? null }
}
