import type { SqlStorage } from '@cloudflare/workers-types'
import { giveWay, type Span } from '../utc-days.ts'

/** Values that are read before everybody else may go first. */
const PART = 10_000

interface MetricQuery {
  readonly metric: string
  /** '' where the page does not matter. */
  readonly page: string
  readonly span: Span
  /** Up to which value one counts as `within`. */
  readonly limit: number
}

/** Where a part of the ordered values begins: behind this one. */
type Place = readonly [value: number, at: number, number: number]
const BEGIN: Place = [Number.MIN_SAFE_INTEGER, 0, 0]

interface Part {
  readonly behind: Place
  readonly told: number
}

/** The values of one metric of a page in their order, a part behind the other (`events_value`). */
const ORDERED = `SELECT value, at, rowid AS number, row_number() OVER (ORDER BY value, at, rowid) AS place FROM events
  WHERE metric = ?1 AND page = ?2 AND metric IS NOT NULL AND value IS NOT NULL AND (value, at, rowid) > (?3, ?4, ?5)
  ORDER BY value, at, rowid LIMIT ${PART}`

/** The values of one metric of a page that were told in a span. */
export class Values {
  readonly #sql: SqlStorage
  readonly #asked: MetricQuery
  readonly #parts: readonly Part[]
  /** How many there are. */
  readonly count: number
  /** How many of them are no more than the limit. */
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
      await giveWay()
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

  /** The value below or at which `share` of them lie, by nearest rank; null without any. */
  ranked(share: number): number | null {
    let rank = Math.max(1, Math.ceil(this.count * share))
    for (const { behind, told: count } of this.#parts) {
      if (rank <= count) return this.#valueAt(behind, rank)
      rank -= count
    }
    return null
  }

  /** The `rank`th value of the span in a part, counted from 1; null when it has gone since the part was read. */
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

/** The metrics and pages that any value is kept of. Each step leaps to the next in the index, so that no value is read twice. */
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
