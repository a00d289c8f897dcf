import type { D1Database } from '@cloudflare/workers-types'
import { getShard } from '../../../contract/telemetry/browser-hash.ts'
import type { StoredAnalyticsEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../../env.ts'
import { formatUtcDay, getDayStart, UTC_DAY_MS } from '../utc-days.ts'
import { getObject } from '../../platform/objects.ts'

/**
 * Retention of a day's events, from the start of the day. Reports of the last 90 days, today included, need no earlier
 * day.
 */
export const RETENTION_MS = 90 * UTC_DAY_MS
/** Object with the events that earlier versions stored. It also deletes expired rows of D1. */
export const ARCHIVE_NAME = 'all'
/** Numbers of shards per day. Each divides the larger ones, so that a browser of one shard is in one shard of each. */
const SHARD_COUNTS: readonly number[] = [1, 2, 4, 8]

/** Row of `insights_objects`: a Durable Object with the events of one UTC day and shard. */
export interface InsightsObject {
  readonly name: string
  /** Start of the day, ms UTC; 0 for the archive. */
  readonly day: number
  readonly shard: number
  /** Number of shards of the day. */
  readonly shards: number
  /** Highest sample rate of the object's events. */
  readonly sample_rate: number
}

export const getArchive = (env: Env) => getObject(env, 'INSIGHTS', ARCHIVE_NAME)

/**
 * Stores events in the objects of their days and shards, and returns the number of new events. Drops events whose day
 * has expired. `now` in ms UTC.
 */
export async function storeEvents(
  env: Env,
  events: readonly StoredAnalyticsEvent[],
  sampleRate: number,
  now: number,
): Promise<number> {
  const shards = SHARD_COUNTS.find((count) => String(count) === env.ANALYTICS_SHARDS) ?? 1
  const current = events.filter(({ at }) => getDayStart(at) + RETENTION_MS > now)
  const groups = Map.groupBy(current, ({ at, device }) => formatName(getDayStart(at), getShard(device, shards), shards))
  const added = await Promise.all(
    [...groups].map(([name, group]) => {
      const { at, device } = group[0] as StoredAnalyticsEvent
      const object = { name, day: getDayStart(at), shard: getShard(device, shards), shards, sample_rate: sampleRate }
      return getObject(env, 'INSIGHTS', name).storeEvents(object, group)
    }),
  )
  return added.reduce((sum, result) => sum + result.added, 0)
}

const formatName = (day: number, shard: number, shards: number) => `${formatUtcDay(day)}/${shard + 1}-of-${shards}`

/** Lists the objects that may contain events, oldest day first. */
export async function listInsightsObjects(db: D1Database): Promise<InsightsObject[]> {
  const query = 'SELECT name, day, shard, shards, sample_rate FROM insights_objects ORDER BY day, shards, shard'
  return (await db.prepare(query).all<InsightsObject>()).results
}

/** Lists an object, or raises its sample rate. */
export async function listObject(db: D1Database, object: InsightsObject): Promise<void> {
  const { name, day, shard, shards, sample_rate } = object
  await db
    .prepare(
      `INSERT INTO insights_objects (name, day, shard, shards, sample_rate) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET sample_rate = max(sample_rate, excluded.sample_rate)`,
    )
    .bind(name, day, shard, shards, sample_rate)
    .run()
}

export async function unlistObject(db: D1Database, name: string): Promise<void> {
  await db.prepare('DELETE FROM insights_objects WHERE name = ?').bind(name).run()
}

/** Deletes the events of an account. */
export async function deleteUserData(env: Env, user: string): Promise<void> {
  const names = (await listInsightsObjects(env.DB)).map(({ name }) => name)
  await mapInBatches(names, (name) => getObject(env, 'INSIGHTS', name).deleteUserData(user))
}

/** Maximum number of objects that are called in parallel, so that their responses fit into the memory of a Worker. */
const PARALLEL_MAX = 6

/** Calls `task` for each item, at most `PARALLEL_MAX` at a time. Returns the results in order. */
export async function mapInBatches<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += PARALLEL_MAX)
    results.push(...(await Promise.all(items.slice(from, from + PARALLEL_MAX).map(task))))
  return results
}
