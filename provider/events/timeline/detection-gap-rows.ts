import type { SqlStorage } from '@cloudflare/workers-types'
import type { CameraCoverage } from '../../../contract/bridge/detection-coverage.ts'
import { STATE_HISTORY_MS } from '../../homes/devices/state-history-rows.ts'

/** Maximum number of coverage gaps per camera. Above it, the oldest gaps are deleted. */
const MAX_GAPS_PER_CAMERA = 5000

export interface StoredCoverage {
  readonly device_id: string
  /** Current span of coverage: its start, the last time that the bridge confirmed it (both ms UTC), and its kind. */
  readonly present: CameraCoverage['spans'][number]
  readonly waiting: CameraCoverage['waiting']
}
export type GapReason = 'unwatched' | 'motion_off'
/** Coverage gap: a span, ms UTC, without motion detection while the camera was on. */
export interface CoverageGap {
  readonly began: number
  readonly until: number
  readonly why: GapReason
}

/**
 * Compares a coverage report with the previous coverage, if any. Returns new gaps and the current coverage (`watched`;
 * undefined without any coverage). `since`: time at which the bridge connected, null if unknown.
 */
export function compareCameraCoverage(
  previousCoverage: StoredCoverage | undefined,
  { device_id, spans, waiting }: CameraCoverage,
  { now, since: connectedAt }: { now: number; since: number | null },
): { gaps: CoverageGap[]; watched: StoredCoverage | undefined } {
  const gaps: CoverageGap[] = []
  const last = spans.at(-1)
  let coveredUntil = previousCoverage?.present[1]
  const [since, , kind] = previousCoverage?.present ?? []
  // After its restart, a bridge no longer reports the earlier `motion_off` span, so record that span as a gap now.
  if (
    since !== undefined &&
    coveredUntil !== undefined &&
    kind === 'motion_off' &&
    spans.every(([from]) => from !== since)
  )
    gaps.push({ began: since, until: coveredUntil, why: kind })
  const first = spans[0]?.[0] ?? 0
  if (!previousCoverage && connectedAt !== null && connectedAt < first)
    gaps.push({ began: connectedAt, until: first, why: 'unwatched' })
  for (const span of spans) {
    const [from, to, spanKind] = span
    if (coveredUntil !== undefined && from > coveredUntil)
      gaps.push({ began: coveredUntil, until: from, why: 'unwatched' })
    const isNew = from === since || coveredUntil === undefined || to > coveredUntil
    if (spanKind === 'motion_off' && span !== last && isNew) gaps.push({ began: from, until: to, why: spanKind })
    coveredUntil = Math.max(coveredUntil ?? to, to)
  }
  const present =
    last && ([last[0], Math.min(Math.max(last[1], coveredUntil ?? 0), now), last[2]] as StoredCoverage['present'])
  return {
    gaps,
    watched: present ? { device_id, present, waiting } : previousCoverage && { ...previousCoverage, waiting },
  }
}

export function recordGaps(sql: SqlStorage, deviceId: string, gaps: readonly CoverageGap[]): void {
  for (const { began, until, why } of gaps)
    sql.exec(
      'INSERT OR REPLACE INTO camera_gaps (device_id, began, until, why) VALUES (?, ?, ?, ?)',
      deviceId,
      began,
      until,
      why,
    )
  const newest = gaps.at(-1)?.began ?? 0
  sql.exec(
    `DELETE FROM camera_gaps WHERE device_id = ?1 AND began < max(?2, coalesce(
       (SELECT began FROM camera_gaps WHERE device_id = ?1 ORDER BY began DESC LIMIT 1 OFFSET ?3), 0))`,
    deviceId,
    newest - STATE_HISTORY_MS,
    MAX_GAPS_PER_CAMERA - 1,
  )
}

/** Returns the camera's coverage gaps that overlap the range, oldest first. */
export function listGaps(sql: SqlStorage, deviceId: string, begin: number, end: number): CoverageGap[] {
  return sql
    .exec<{ began: number; until: number; why: GapReason }>(
      'SELECT began, until, why FROM camera_gaps WHERE device_id = ? AND began < ? AND until > ? ORDER BY began',
      deviceId,
      end,
      begin,
    )
    .toArray()
}

export function groupCamerasByBridge(sql: SqlStorage, ids: readonly string[]): Map<string, string[]> {
  const rows = sql
    .exec<{ device_id: string; bridge_id: string }>(
      'SELECT device_id, bridge_id FROM devices WHERE removed_at IS NULL AND device_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    )
    .toArray()
  const groups = Map.groupBy(rows, ({ bridge_id }) => bridge_id)
  return new Map([...groups].map(([bridge, cameras]) => [bridge, cameras.map(({ device_id }) => device_id)]))
}
