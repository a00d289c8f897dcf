import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'

/** Time span, ms UTC; `from` is inclusive, `to` is exclusive. */
export interface TimelineSpan {
  readonly from: number
  readonly to: number
}
export interface TimelineSegment extends TimelineSpan {
  readonly state: TimelineState
  readonly reason: string
}

/** Default reasons for a state without a reason from the camera. */
export const DEFAULT_TIMELINE_REASONS = {
  recorded: '',
  live_only: 'The camera was on, but nothing moved, so nothing was recorded.',
  asleep: 'The camera was asleep to save battery.',
  offline: 'The camera was offline.',
  switched_off: 'The camera was turned off.',
  bridge_off: 'The camera’s hub wasn’t connected.',
  not_kept: 'Your plan doesn’t include this clip.',
  expired: 'Clips from this time expired under your plan and were deleted.',
  freed: 'Clips from this time were deleted to free up space.',
  not_indexed: 'The clip is still uploading from your hub.',
  not_watched: 'Motion wasn’t monitored because the hub was asleep, was too busy, or had no video.',
  unknown: 'The camera hadn’t been added yet.',
} as const satisfies Record<TimelineState, string>

export const LIMIT_REASON = 'Clips from this time were deleted by the camera’s storage settings.'
export const DELETED_REASON = 'The owner deleted the clips from this time.'
export const MOTION_OFF_REASON = 'Motion recording was off for this camera.'
export const UPLOAD_WAITING_REASON = 'A clip is waiting to upload from your hub.'
export const NOT_REPORTED_REASON = 'Your hub hasn’t sent data for this time yet.'
export const FUTURE_REASON = 'This time is in the future.'

/** Precedence of overlapping segments, strongest first: playable video, then the reasons why there is no video. */
const STATE_PRECEDENCE: readonly TimelineState[] = [
  'recorded',
  'not_indexed',
  'not_kept',
  'freed',
  'expired',
  'switched_off',
  'bridge_off',
  'offline',
  'asleep',
  'not_watched',
  'live_only',
  'unknown',
]

/**
 * Merges segments into gapless runs from `begin` to `end`. The strongest segment wins, and `unknown` fills gaps. Joins
 * equal neighbors.
 */
export function mergeTimelineLayers(begin: number, end: number, segments: readonly TimelineSegment[]): TimelineRun[] {
  const clipped = segments.map((segment) => clipSegment(segment, begin, end)).filter(({ from, to }) => from < to)
  const boundaries = [...new Set([begin, end, ...clipped.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b)
  const starting = Map.groupBy(clipped, ({ from }) => from)
  let open: TimelineSegment[] = []
  const runs: TimelineRun[] = []
  for (const [i, from] of boundaries.entries()) {
    const to = boundaries[i + 1]
    if (to === undefined) break
    open = [...open.filter((segment) => segment.to > from), ...(starting.get(from) ?? [])]
    const { state, reason } = findStrongestState(open)
    const last = runs.at(-1)
    if (last?.[2] === state && last[3] === reason) last[1] = to
    else runs.push([from, to, state, reason])
  }
  return runs
}

function clipSegment(segment: TimelineSegment, begin: number, end: number): TimelineSegment {
  return { ...segment, from: Math.max(segment.from, begin), to: Math.min(segment.to, end) }
}

const getPrecedence = (segment: Pick<TimelineSegment, 'state'>) => STATE_PRECEDENCE.indexOf(segment.state)

function findStrongestState(open: readonly TimelineSegment[]): Pick<TimelineSegment, 'state' | 'reason'> {
  let best: TimelineSegment | undefined
  for (const segment of open) {
    const isStronger =
      best === undefined ||
      getPrecedence(segment) < getPrecedence(best) ||
      (getPrecedence(segment) === getPrecedence(best) && segment.from >= best.from)
    if (isStronger) best = segment
  }
  return best ?? { state: 'unknown', reason: DEFAULT_TIMELINE_REASONS.unknown }
}
