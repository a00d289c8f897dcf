import type { SqlStorage } from '@cloudflare/workers-types'
import { giveWay, type Span } from '../utc-days.ts'

/** Events that are read before everybody else goes first: some milliseconds. */
const PART = 4000

/**
 * Counts a span in parts of so many events that one of them is counted at once; more only of one millisecond, and never more than
 * a day keeps (`DAY_ROWS_MAX`). Before each part everybody else goes first.
 */
export async function inParts(sql: SqlStorage, { from, to }: Span, count: (part: Span) => void): Promise<void> {
  for (let begin = from; begin < to;) {
    await giveWay()
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
