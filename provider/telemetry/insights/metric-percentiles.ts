import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { UtcSpan } from '../utc-days.ts'

/** Number of values that a scan reads before it yields to the event loop. */
const VALUES_PER_CHUNK = 10_000

interface MetricQuery {
  readonly metric: string
  /** Page that reported the values; empty if the metric is not per page. */
  readonly page: string
  readonly span: UtcSpan
  /** Maximum value that `countWithinLimit` counts. */
  readonly limit: number
}

type ScanPosition = readonly [value: number, at: number, number: number]
const SCAN_START: ScanPosition = [Number.MIN_SAFE_INTEGER, 0, 0]

interface ValueChunk {
  readonly startsAfter: ScanPosition
  readonly count: number
}

/** SQL for one chunk of the ordered values of one metric and page. Uses the index `events_value`. */
const ORDERED_CHUNK_SQL = `SELECT value, at, rowid AS number, row_number() OVER (ORDER BY value, at, rowid) AS place FROM events
  WHERE metric = ?1 AND page = ?2 AND metric IS NOT NULL AND value IS NOT NULL AND (value, at, rowid) > (?3, ?4, ?5)
  ORDER BY value, at, rowid LIMIT ${VALUES_PER_CHUNK}`

/** Values that pages reported for one metric and page within a span. */
export class MetricValues {
  readonly #sql: SqlStorage
  readonly #query: MetricQuery
  readonly #chunks: readonly ValueChunk[]
  readonly count: number
  readonly countWithinLimit: number

  private constructor(sql: SqlStorage, query: MetricQuery, parts: readonly ValueChunk[], withinLimit: number) {
    this.#sql = sql
    this.#query = query
    this.#chunks = parts
    this.count = parts.reduce((sum, { count }) => sum + count, 0)
    this.countWithinLimit = withinLimit
  }

  static async read(sql: SqlStorage, query: MetricQuery): Promise<MetricValues> {
    const { metric, page, span, limit } = query
    const parts: ValueChunk[] = []
    let withinLimit = 0
    for (let startsAfter: ScanPosition | null = SCAN_START; startsAfter !== null;) {
      await yieldToEventLoop()
      const [last, value, at, number, count, good] = [
        ...sql
          .exec(
            `SELECT max(place), value, at, number, count(*) FILTER (WHERE at >= ?6 AND at < ?7),
               count(*) FILTER (WHERE at >= ?6 AND at < ?7 AND value <= ?8) FROM (${ORDERED_CHUNK_SQL})`,
            metric,
            page,
            ...startsAfter,
            span.from,
            span.to,
            limit,
          )
          .raw<(number | null)[]>(),
      ][0] as [number | null, number, number, number, number, number]
      parts.push({ startsAfter: startsAfter, count })
      withinLimit += good
      startsAfter = last === VALUES_PER_CHUNK ? [value, at, number] : null
    }
    return new MetricValues(sql, query, parts, withinLimit)
  }

  /** Returns the value at quantile `share`, by the nearest-rank method; null if there are no values. */
  getQuantile(share: number): number | null {
    let rank = Math.max(1, Math.ceil(this.count * share))
    for (const { startsAfter, count } of this.#chunks) {
      if (rank <= count) return this.#findValueAtRank(startsAfter, rank)
      rank -= count
    }
    return null
  }

  /**
   * Returns the value with this rank (from 1) in a chunk, counting only values within the span. Returns null if the
   * value has been deleted since the chunk was counted.
   */
  #findValueAtRank(startsAfter: ScanPosition, rank: number): number | null {
    const { metric, page, span } = this.#query
    const [row] = this.#sql
      .exec<{ value: number }>(
        `SELECT value FROM (${ORDERED_CHUNK_SQL}) WHERE at >= ?6 AND at < ?7 ORDER BY place LIMIT 1 OFFSET ?8`,
        metric,
        page,
        ...startsAfter,
        span.from,
        span.to,
        rank - 1,
      )
      .toArray()
    return row?.value ?? null
  }
}

/**
 * Yields the pairs of metric and page that have values. Each step skips to the next pair in the index, so that it reads
 * only one value per pair.
 */
export function* listMetrics(sql: SqlStorage): Generator<{ metric: string; page: string }> {
  for (let last = { metric: '', page: '' }; ;) {
    const [next] = sql
      .exec<{ metric: string; page: string }>(
        `SELECT metric, page FROM events WHERE metric IS NOT NULL AND value IS NOT NULL AND (metric, page) > (?, ?)
         ORDER BY metric, page LIMIT 1`,
        last.metric,
        last.page,
      )
      .toArray()
    if (next === undefined) return
    yield (last = next)
  }
}
