import type { CameraState } from '../../../contract/cameras/devices.ts'
import type { SqlStorage } from '@cloudflare/workers-types'
import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import { listStateRuns, type StateRun } from '../../homes/devices/state-history-rows.ts'
import type { TombstoneReason } from '../retention/tombstone-rows.ts'
import { limitVisibility, type EventVisibility } from '../../billing/plans/event-visibility.ts'
import {
  DELETED_REASON,
  LIMIT_REASON,
  FUTURE_REASON,
  MOTION_OFF_REASON,
  mergeTimelineLayers,
  DEFAULT_TIMELINE_REASONS,
  type TimelineSegment,
  NOT_REPORTED_REASON,
  UPLOAD_WAITING_REASON,
} from './merge-timeline-layers.ts'
import { listGaps, type GapReason, type StoredCoverage } from './detection-gap-rows.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

type EventRow = {
  event_ts: number
  clip_begin: number | null
  clip_end: number | null
  gone: TombstoneReason | null
  free: number
  uploading: number
}

/**
 * Maximum time between a clip and its event. It limits the index rows to read. An hour is enough, because clips last
 * only minutes.
 */
const MAX_CLIP_DISTANCE_MS = HOUR_MS
/** Assumed length of a clip that is still uploading: the length of the longest clip. */
const ASSUMED_CLIP_LENGTH_MS = 60_000
/** Time without a report after which a span counts as not watched. A connected bridge reports at least every 10 s. */
const REPORT_TIMEOUT_MS = 90_000

const TIMELINE_STATES: Readonly<Record<CameraState, TimelineState>> = {
  awake: 'live_only',
  waking: 'live_only',
  asleep: 'asleep',
  offline: 'offline',
  switched_off: 'switched_off',
  bridge_off: 'bridge_off',
}

/**
 * Builds the gapless timeline of a camera in a range (contract/events/timeline.ts). Hidden events appear as `not_kept`.
 */
export function buildTimeline(
  sql: SqlStorage,
  deviceId: string,
  range: { begin: number; end: number; now: number },
  visibility: EventVisibility,
  coverage?: StoredCoverage,
): TimelineRun[] {
  const { begin, end, now } = range
  const pastEnd = Math.min(end, now)
  const [part] = limitVisibility(visibility, [deviceId])
  const isRowVisible = (row: EventRow) =>
    part !== undefined && row.event_ts >= part.since && (!part.free || row.free === 1)
  const states = pastEnd > begin ? listStateRuns(sql, deviceId, begin, pastEnd) : []
  return mergeTimelineLayers(begin, end, [
    ...states.map(({ from, to, state, reason }) => ({
      from,
      to,
      state: TIMELINE_STATES[state],
      reason: getReasonText(state, reason),
    })),
    ...listGaps(sql, deviceId, begin, pastEnd).map(({ began, until, why }) => createGapSegment(began, until, why)),
    ...(coverage ? toReportedSegments(coverage, states, now) : []),
    ...listEventRows(sql, deviceId, begin, pastEnd).flatMap((row) => toSegment(row, now, isRowVisible(row)) ?? []),
    { from: now, to: end, state: 'unknown', reason: FUTURE_REASON },
  ])
}

function createGapSegment(from: number, to: number, why: GapReason): TimelineSegment {
  return {
    from,
    to,
    state: 'not_watched',
    reason: why === 'motion_off' ? MOTION_OFF_REASON : DEFAULT_TIMELINE_REASONS.not_watched,
  }
}

/**
 * Returns the segments from a coverage report: disabled motion detection, recordings that wait at the bridge, and time
 * without a report while the camera was on.
 */
function toReportedSegments(
  { present: [since, until, kind], waiting }: StoredCoverage,
  states: readonly StateRun[],
  now: number,
): TimelineSegment[] {
  const state = now - until < REPORT_TIMEOUT_MS ? 'not_indexed' : 'not_watched'
  const live = states.filter((run) => TIMELINE_STATES[run.state] === 'live_only' && run.reason === '' && run.to > until)
  return [
    ...(kind === 'motion_off' ? [createGapSegment(since, until, kind)] : []),
    ...live.map(({ from, to }): TimelineSegment => ({
      from: Math.max(from, until),
      to,
      state,
      reason: NOT_REPORTED_REASON,
    })),
    ...waiting.map(([from, to]): TimelineSegment => ({
      from,
      to,
      state: 'not_indexed',
      reason: UPLOAD_WAITING_REASON,
    })),
  ]
}

function getReasonText(state: CameraState, reason: string): string {
  return reason === '' ? DEFAULT_TIMELINE_REASONS[TIMELINE_STATES[state]] : reason
}

function listEventRows(sql: SqlStorage, deviceId: string, begin: number, end: number): EventRow[] {
  const select = (goneCondition: string) =>
    `SELECT event_ts, clip_begin, clip_end, gone, free, uploading FROM events
     WHERE ${goneCondition} AND device_id = ?1 AND event_ts BETWEEN ?2 AND ?3 AND (clip_begin IS NOT NULL OR uploading = 1)`
  return sql
    .exec<EventRow>(
      `${select('gone IS NULL')} UNION ALL ${select('gone IS NOT NULL')}`,
      deviceId,
      begin - MAX_CLIP_DISTANCE_MS,
      end + MAX_CLIP_DISTANCE_MS,
    )
    .toArray()
}

const TOMBSTONE_REASONS: Readonly<Record<TombstoneReason, string>> = {
  expired: DEFAULT_TIMELINE_REASONS.expired,
  full: DEFAULT_TIMELINE_REASONS.freed,
  limit: LIMIT_REASON,
  deleted: DELETED_REASON,
  purged: DELETED_REASON,
}

function toSegment(row: EventRow, now: number, isVisible: boolean): TimelineSegment | null {
  const describeState = (state: TimelineState, reason: string = DEFAULT_TIMELINE_REASONS[state]) => ({ state, reason })
  if (row.clip_begin === null || row.clip_end === null) {
    if (row.gone !== null) return null
    return {
      from: row.event_ts,
      to: Math.min(row.event_ts + ASSUMED_CLIP_LENGTH_MS, now),
      ...describeState('not_indexed'),
    }
  }
  const span = { from: row.clip_begin, to: row.clip_end }
  if (row.gone !== null)
    return { ...span, ...describeState(row.gone === 'full' ? 'freed' : 'expired', TOMBSTONE_REASONS[row.gone]) }
  return { ...span, ...describeState(isVisible ? 'recorded' : 'not_kept') }
}
