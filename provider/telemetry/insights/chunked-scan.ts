import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { UtcSpan } from '../utc-days.ts'

/** Number of events that a scan reads before it yields to the event loop. Reading them takes a few milliseconds. */
const EVENTS_PER_CHUNK = 4000

/**
 * Scans a span in chunks of at most `EVENTS_PER_CHUNK` events, and yields before each chunk. A chunk is larger only if
 * more events share a millisecond, and never exceeds `MAX_EVENTS_PER_DAY`.
 */
export async function scanInChunks(
  sql: SqlStorage,
  { from, to }: UtcSpan,
  countChunk: (part: UtcSpan) => void,
): Promise<void> {
  for (let begin = from; begin < to;) {
    await yieldToEventLoop()
    const [next] = sql
      .exec<{ at: number }>(
        'SELECT at FROM events WHERE at >= ? AND at < ? ORDER BY at LIMIT 1 OFFSET ?',
        begin,
        to,
        EVENTS_PER_CHUNK,
      )
      .toArray()
    const end = next === undefined ? to : Math.max(begin + 1, next.at)
    countChunk({ from: begin, to: end })
    begin = end
  }
}
