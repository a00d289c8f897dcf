import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldThread, type UtcSpan } from '../utc-days.ts'

/** Values read before the scan yields to the event loop. */
const PART = 10_000

interface MetricQuery {
  readonly metric: string
  /** Page that reported the values; '' if the page is irrelevant. */
  readonly page: string
  readonly span: UtcSpan
  /** Maximum value that counts as `within`. */
  readonly limit: number
}

/** Position in the ordered values after which a chunk begins. */
type Place = readonly [value: number, at: number, number: number]
const BEGIN: Place = [Number.MIN_SAFE_INTEGER, 0, 0]

interface Part {
  readonly behind: Place
  readonly told: number
}

/** Query for one chunk of the values of one metric and page, in order (uses the index `events_value`). */
const ORDERED = `SELECT value, at, rowid AS number, row_number() OVER (ORDER BY value, at, rowid) AS place FROM events
  WHERE metric = ?1 AND page = ?2 AND metric IS NOT NULL AND value IS NOT NULL AND (value, at, rowid) > (?3, ?4, ?5)
  ORDER BY value, at, rowid LIMIT ${PART}`

/** Values of one metric and page that were reported within a span. */
export class Values {
  readonly #sql: SqlStorage
  readonly #asked: MetricQuery
  readonly #parts: readonly Part[]
  readonly count: number
  readonly within: number

  private constructor(sql: SqlStorage, query: MetricQuery, parts: readonly Part[], within: number) {
    this.#sql = sql
    this.#asked = query
    this.#parts = parts
    this.count = parts.reduce((sum, { told: count }) => sum + count, 0)
    this.within = within
  }

  static async read(sql: SqlStorage, query: MetricQuery): Promise<Values> {
    const { metric, page, span, limit } = query
    const parts: Part[] = []
    let within = 0
    for (let behind: Place | null = BEGIN; behind !== null;) {
      await yieldThread()
      const [last, value, at, number, count, good] = [
        ...sql
          .exec(
            `SELECT max(place), value, at, number, count(*) FILTER (WHERE at >= ?6 AND at < ?7),
               count(*) FILTER (WHERE at >= ?6 AND at < ?7 AND value <= ?8) FROM (${ORDERED})`,
            ...[metric, page, ...behind, span.from, span.to, limit],
          )
          .raw<(number | null)[]>(),
      ][0] as [number | null, number, number, number, number, number]
      parts.push({ behind, told: count })
      within += good
      behind = last === PART ? [value, at, number] : null
    }
    return new Values(sql, query, parts, within)
  }

  /** Returns the value at quantile `share` by nearest rank; null if there are no values. */
  ranked(share: number): number | null {
    let rank = Math.max(1, Math.ceil(this.count * share))
    for (const { behind, told: count } of this.#parts) {
      if (rank <= count) return this.#valueAt(behind, rank)
      rank -= count
    }
    return null
  }

  /**
   * Returns the `rank`th value of the span in a chunk, counted from 1; null if it was deleted since the chunk was read.
   */
  #valueAt(behind: Place, rank: number): number | null {
    const { metric, page, span } = this.#asked
    const [row] = this.#sql
      .exec<{ value: number }>(
        `SELECT value FROM (${ORDERED}) WHERE at >= ?6 AND at < ?7 ORDER BY place LIMIT 1 OFFSET ?8`,
        ...[metric, page, ...behind, span.from, span.to, rank - 1],
      )
      .toArray()
    return row?.value ?? null
  }
}

/**
 * Yields the pairs of metric and page that have values. Each step skips to the next pair in the index, so that no value
 * is read twice.
 */
export function* metricsIn(sql: SqlStorage): Generator<{ metric: string; page: string }> {
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
