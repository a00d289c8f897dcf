import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldThread, type UtcSpan } from '../utc-days.ts'

/** Events read before the scan yields to the event loop; takes a few milliseconds. */
const PART = 4000

/**
 * Scans a span in chunks of `PART` events and yields to the event loop before each chunk. A chunk is larger only if
 * more events have the same millisecond, and never exceeds `DAY_ROWS_MAX`.
 */
export async function inParts(sql: SqlStorage, { from, to }: UtcSpan, count: (part: UtcSpan) => void): Promise<void> {
  for (let begin = from; begin < to;) {
    await yieldThread()
    const [next] = sql
      .exec<{ at: number }>(
        'SELECT at FROM events WHERE at >= ? AND at < ? ORDER BY at LIMIT 1 OFFSET ?',
        ...[begin, to, PART],
      )
      .toArray()
    const end = next === undefined ? to : Math.max(begin + 1, next.at)
    count({ from: begin, to: end })
    begin = end
  }
}
