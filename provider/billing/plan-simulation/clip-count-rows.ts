import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { findNewestRangeStart, toDocumentIdRange } from '../../events/document-id-rows.ts'
import type { ClipCount } from './simulation-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum rows read: `ROWS_PER_STEP` in one step, `CLIP_COUNT_ROWS_MAX` in all steps together. */
const ROWS_PER_STEP = 5000
export const CLIP_COUNT_ROWS_MAX = 50_000

/**
 * Counts clips by camera, age and `free`, including clips that the current plan hides (docs/decisions/0016). Reads only
 * the newest `CLIP_COUNT_ROWS_MAX` events.
 */
export async function countClips(
  sql: SqlStorage,
  devices: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<ClipCount[]> {
  const counts: ClipCount[] = []
  let range = toDocumentIdRange(sql, { start: from, end: to })
  for (let left = CLIP_COUNT_ROWS_MAX; left > 0; left -= ROWS_PER_STEP) {
    const stepStart = findNewestRangeStart(sql, range, ROWS_PER_STEP)
    counts.push(...countClipsInRange(sql, devices, { from: stepStart?.doc ?? range.from, before: range.before }, to))
    if (stepStart === null) break
    range = { from: range.from, before: stepStart.doc }
    await yieldToEventLoop()
  }
  return mergeCounts(counts)
}

function countClipsInRange(
  sql: SqlStorage,
  devices: readonly string[],
  { from, before }: { from: string; before: string },
  now: number,
): ClipCount[] {
  return sql
    .exec<{ device_id: string; age: number; free: number; clips: number }>(
      `SELECT device_id, CAST((max(?4 - event_ts, 1) - 1) / ${DAY_MS} AS INTEGER) AS age, free, count(*) AS clips FROM events
       WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER) AND gone IS NULL
         AND (clip_object IS NOT NULL OR uploading = 1) AND +device_id IN (SELECT value FROM json_each(?3))
       GROUP BY 1, 2, 3`,
      from,
      before,
      JSON.stringify(devices),
      now,
    )
    .toArray()
}

/** Merges counts with the same camera, age and `free`, because two consecutive steps can read clips of the same day. */
function mergeCounts(counts: readonly ClipCount[]): ClipCount[] {
  const alike = Map.groupBy(counts, ({ device_id, age, free }) => `${device_id} ${age} ${free}`)
  return [...alike.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, clips: more.reduce((sum, { clips }) => sum + clips, first.clips) }],
  )
}
