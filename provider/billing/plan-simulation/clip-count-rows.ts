import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { newestRangeStart, toIndexRange } from '../../events/document-id-rows.ts'
import type { ClipCount } from './simulation-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum rows per step, and in all steps together. */
const STEP = 5000
export const CLIP_COUNT_ROWS_MAX = 50_000

/**
 * Counts the cameras' clips between two times (ms UTC), by age and by whether every plan shows them. Includes events
 * that the plan hides but that are not deleted yet (docs/decisions/0016), and excludes deleted ones. With more than
 * `CLIP_COUNT_ROWS_MAX` events, only the newest are counted.
 */
export async function countClips(
  sql: SqlStorage,
  devices: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<ClipCount[]> {
  const counts: ClipCount[] = []
  let range = toIndexRange(sql, { start: from, end: to })
  for (let left = CLIP_COUNT_ROWS_MAX; left > 0; left -= STEP) {
    const edge = newestRangeStart(sql, range, STEP)
    counts.push(...countIn(sql, devices, { from: edge?.doc ?? range.from, before: range.before }, to))
    if (edge === null) break
    range = { from: range.from, before: edge.doc }
    await yieldToEventLoop()
  }
  return merged(counts)
}

function countIn(
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

/** Merges counts of the same camera, age and `free`. Such counts exist if a step ends within a day. */
function merged(counts: readonly ClipCount[]): ClipCount[] {
  const alike = Map.groupBy(counts, ({ device_id, age, free }) => `${device_id} ${age} ${free}`)
  return [...alike.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, clips: more.reduce((sum, { clips }) => sum + clips, first.clips) }],
  )
}
