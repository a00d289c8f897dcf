import type { SqlStorage } from '@cloudflare/workers-types'
import type { WatchedCamera } from '../../../contract/bridge/bridge-protocol.ts'
import { KEPT_MS } from '../../homes/devices/state-history-rows.ts'

/** Maximum number of coverage gaps per camera. A camera with an unstable connection loses its oldest gaps. */
const GAPS_MAX = 5000

/** Detection coverage of a camera, as its bridge last reported it. */
export interface Watched {
  readonly device_id: string
  /**
   * Current span of coverage: its start, the time up to which the bridge has confirmed it (both ms UTC), and its kind.
   */
  readonly present: WatchedCamera['spans'][number]
  readonly waiting: WatchedCamera['waiting']
}
export type GapReason = 'unwatched' | 'motion_off'
/** Coverage gap: a span, ms UTC, without motion detection while the camera was on. */
export interface Gap {
  readonly began: number
  readonly until: number
  readonly why: GapReason
}

/**
 * Compares a new coverage report with the previous one, `before` (undefined: none yet). `since`: time at which the
 * bridge connected, null if unknown. Returns the coverage gaps and the current coverage.
 */
export function compareWatched(
  before: Watched | undefined,
  { device_id, spans, waiting }: WatchedCamera,
  { now, since: came }: { now: number; since: number | null },
): { gaps: Gap[]; watched: Watched | undefined } {
  const gaps: Gap[] = []
  const last = spans.at(-1)
  let watchedUntil = before?.present[1]
  const [since, , kind] = before?.present ?? []
  // After a restart, the bridge no longer reports the span from before the restart, so record that span now.
  if (
    since !== undefined &&
    watchedUntil !== undefined &&
    kind === 'motion_off' &&
    spans.every(([from]) => from !== since)
  )
    gaps.push({ began: since, until: watchedUntil, why: kind })
  const first = spans[0]?.[0] ?? 0
  if (!before && came !== null && came < first) gaps.push({ began: came, until: first, why: 'unwatched' })
  for (const span of spans) {
    const [from, to, spanKind] = span
    if (watchedUntil !== undefined && from > watchedUntil)
      gaps.push({ began: watchedUntil, until: from, why: 'unwatched' })
    const isNew = from === since || watchedUntil === undefined || to > watchedUntil
    if (spanKind === 'motion_off' && span !== last && isNew) gaps.push({ began: from, until: to, why: spanKind })
    watchedUntil = Math.max(watchedUntil ?? to, to)
  }
  const present =
    last && ([last[0], Math.min(Math.max(last[1], watchedUntil ?? 0), now), last[2]] as Watched['present'])
  return { gaps, watched: present ? { device_id, present, waiting } : before && { ...before, waiting } }
}

export function recordGaps(sql: SqlStorage, deviceId: string, gaps: readonly Gap[]): void {
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
    newest - KEPT_MS,
    GAPS_MAX - 1,
  )
}

/** Returns the camera's coverage gaps that overlap the range, oldest first. */
export function listGaps(sql: SqlStorage, deviceId: string, begin: number, end: number): Gap[] {
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
