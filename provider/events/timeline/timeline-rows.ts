import type { SqlStorage } from '@cloudflare/workers-types'
import type { CameraState } from '../../../contract/live/signaling.ts'
import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import { listRuns, type StateRun } from '../../homes/devices/state-history-rows.ts'
import type { TombstoneReason } from '../retention/tombstone-rows.ts'
import { limitVisibility, type EventVisibility } from '../../billing/plans/event-visibility.ts'
import {
  DELETED,
  STORAGE_FULL_REASON,
  FUTURE,
  MOTION_OFF,
  mergeTimelineLayers,
  DEFAULT_TIMELINE_REASONS,
  type TimelineSegment,
  UNTOLD,
  WAITING,
} from './merge-timeline-layers.ts'
import { listGaps, type GapReason, type Watched } from './detection-gap-rows.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

type Row = {
  event_ts: number
  clip_begin: number | null
  clip_end: number | null
  gone: TombstoneReason | null
  free: number
  uploading: number
}

/**
 * Maximum distance between a clip and its event, ms; it bounds the query to an index range. A clip lasts minutes at
 * most.
 */
const CLIP_REACH_MS = HOUR_MS
/** Assumed length of an event without a clip yet: the longest clip. */
const UPLOAD_MS = 60_000
/**
 * Time, ms, after which a span that the bridge has not reported counts as not watched. The bridge reports every few
 * seconds; only the latest seconds are missing.
 */
const UNTOLD_MS = 90_000

const SEEN: Readonly<Record<CameraState, TimelineState>> = {
  awake: 'live_only',
  waking: 'live_only',
  asleep: 'asleep',
  offline: 'offline',
  switched_off: 'switched_off',
  bridge_off: 'bridge_off',
}

/** Builds the gapless timeline of a camera in a range (contract/events/timeline.ts). Hidden events are `not_kept`. */
export function buildTimeline(
  sql: SqlStorage,
  deviceId: string,
  range: { begin: number; end: number; now: number },
  view: EventVisibility,
  watched?: Watched,
): TimelineRun[] {
  const { begin, end, now } = range
  const past = Math.min(end, now)
  const [part] = limitVisibility(view, [deviceId])
  const shows = (row: Row) => part !== undefined && row.event_ts >= part.since && (!part.free || row.free === 1)
  const states = past > begin ? listRuns(sql, deviceId, begin, past) : []
  return mergeTimelineLayers(begin, end, [
    ...states.map(({ from, to, state, reason }) => ({
      from,
      to,
      state: SEEN[state],
      reason: reasonText(state, reason),
    })),
    ...listGaps(sql, deviceId, begin, past).map(({ began, until, why }) => notWatched(began, until, why)),
    ...(watched ? toReportedStretches(watched, states, now) : []),
    ...eventRows(sql, deviceId, begin, past).flatMap((row) => toStretch(row, now, shows(row)) ?? []),
    { from: now, to: end, state: 'unknown', reason: FUTURE },
  ])
}

function notWatched(from: number, to: number, why: GapReason): TimelineSegment {
  return {
    from,
    to,
    state: 'not_watched',
    reason: why === 'motion_off' ? MOTION_OFF : DEFAULT_TIMELINE_REASONS.not_watched,
  }
}

/**
 * Returns segments for recordings that wait at the bridge, for detection that is off, and for spans that the bridge has
 * not reported although the camera was on.
 */
function toReportedStretches(
  { present: [since, until, kind], waiting }: Watched,
  states: readonly StateRun[],
  now: number,
): TimelineSegment[] {
  const state = now - until < UNTOLD_MS ? 'not_indexed' : 'not_watched'
  const live = states.filter((run) => SEEN[run.state] === 'live_only' && run.reason === '' && run.to > until)
  return [
    ...(kind === 'motion_off' ? [notWatched(since, until, kind)] : []),
    ...live.map(({ from, to }): TimelineSegment => ({ from: Math.max(from, until), to, state, reason: UNTOLD })),
    ...waiting.map(([from, to]): TimelineSegment => ({ from, to, state: 'not_indexed', reason: WAITING })),
  ]
}

/** The camera's own reason wins over the default text. */
function reasonText(state: CameraState, reason: string): string {
  return reason === '' ? DEFAULT_TIMELINE_REASONS[SEEN[state]] : reason
}

function eventRows(sql: SqlStorage, deviceId: string, begin: number, end: number): Row[] {
  const select = (goneCondition: string) =>
    `SELECT event_ts, clip_begin, clip_end, gone, free, uploading FROM events
     WHERE ${goneCondition} AND device_id = ?1 AND event_ts BETWEEN ?2 AND ?3 AND (clip_begin IS NOT NULL OR uploading = 1)`
  return sql
    .exec<Row>(
      `${select('gone IS NULL')} UNION ALL ${select('gone IS NOT NULL')}`,
      deviceId,
      begin - CLIP_REACH_MS,
      end + CLIP_REACH_MS,
    )
    .toArray()
}

const EXPIRED: Readonly<Record<TombstoneReason, string>> = {
  expired: DEFAULT_TIMELINE_REASONS.expired,
  full: STORAGE_FULL_REASON,
  deleted: DELETED,
  purged: DELETED,
}

function toStretch(row: Row, now: number, isVisible: boolean): TimelineSegment | null {
  const describeState = (state: TimelineState, reason: string = DEFAULT_TIMELINE_REASONS[state]) => ({ state, reason })
  if (row.clip_begin === null || row.clip_end === null) {
    if (row.gone !== null) return null
    return { from: row.event_ts, to: Math.min(row.event_ts + UPLOAD_MS, now), ...describeState('not_indexed') }
  }
  const span = { from: row.clip_begin, to: row.clip_end }
  if (row.gone !== null) return { ...span, ...describeState('expired', EXPIRED[row.gone]) }
  return { ...span, ...describeState(isVisible ? 'recorded' : 'not_kept') }
}
