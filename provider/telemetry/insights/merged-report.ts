import type { Env } from '../../env.ts'
import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { formatUtcDay, getDayStart, UTC_DAY_MS, type UtcSpan } from '../utc-days.ts'
import { ARCHIVE_NAME, listInsightsObjects, mapInBatches, type InsightsObject } from './insights-objects.ts'
import { ReportBuilder, type EventFigures } from './insights-report.ts'
import { getObject } from '../../platform/objects.ts'

/** Part of the insights report that the `Insights` objects provide. */
export type EventReport = EventFigures & Pick<InsightsReport, 'from' | 'to' | 'kept_since' | 'left_out'>

/**
 * Merges the counts of all objects of a span. Reads the objects shard by shard, because a browser is in one shard: only
 * the browsers of one shard are in memory. `cachedAt`: ms UTC; counts may then be up to a minute old.
 */
export async function buildEventReport(env: Env, span: UtcSpan, cachedAt: number | null): Promise<EventReport> {
  const objects = await listInsightsObjects(env.DB)
  const archives = objects.filter(({ name }) => name === ARCHIVE_NAME)
  const days = objects.filter(({ name, day }) => name !== ARCHIVE_NAME && day < span.to && day + UTC_DAY_MS > span.from)
  const sampleRate = Math.max(1, ...days.map((object) => object.sample_rate))
  const builder = new ReportBuilder(sampleRate)
  const leftOut = new Map<number, number>()
  const addObject = async ({ name }: InsightsObject) => {
    const { counts, left_out } = await getObject(env, 'INSIGHTS', name).countEvents(span, sampleRate, cachedAt)
    builder.add(counts)
    for (const { day, events } of left_out) leftOut.set(day, (leftOut.get(day) ?? 0) + events)
    return counts.browsers.size
  }
  const archivedBrowsers = await mapInBatches(archives, addObject)
  // The archive can contain browsers of every shard.
  const groupCount = archivedBrowsers.some((count) => count > 0) ? 1 : Math.min(...days.map(({ shards }) => shards))
  for (const group of Map.groupBy(days, ({ shard }) => shard % groupCount).values()) {
    await mapInBatches(group, addObject)
    builder.endBrowserGroup()
  }
  return {
    ...span,
    kept_since: await findOldestEventTime(env, objects),
    left_out: [...leftOut]
      .filter(([day, events]) => events > 0 && day >= getDayStart(span.from) && day < span.to)
      .toSorted(([a], [b]) => a - b)
      .map(([day, events]) => ({ day: formatUtcDay(day), events })),
    ...builder.build(),
  }
}

/** Returns the time of the oldest event, ms UTC; null if there is none. Reads days until it finds an event. */
async function findOldestEventTime(env: Env, objects: readonly InsightsObject[]): Promise<number | null> {
  for (const dayObjects of Map.groupBy(objects, ({ day }) => day).values()) {
    const times = await mapInBatches(dayObjects, ({ name }) => getObject(env, 'INSIGHTS', name).getOldestEventTime())
    const stored = times.filter((time) => time !== null)
    if (stored.length > 0) return Math.min(...stored)
  }
  return null
}
