import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getShard } from '../../../../contract/telemetry/browser-hash.ts'
import type { StoredAnalyticsEvent } from '../../../../contract/telemetry/telemetry-calls.ts'
import { countEvent, createEventCounts } from '../../../../provider/telemetry/insights/event-counts.ts'
import { ReportBuilder } from '../../../../provider/telemetry/insights/insights-report.ts'
import { getDayStart } from '../../../../provider/telemetry/utc-days.ts'
import { computeFigures } from '../../../support/insights-oracle.ts'
import { eventsArbitrary } from '../../../support/insights-events.ts'

const END = Date.UTC(2026, 4, 1) - 1

function countAll(events: readonly StoredAnalyticsEvent[], sampleRate: number) {
  const counts = createEventCounts()
  for (const event of events) countEvent(counts, { ...event, props: JSON.stringify(event.props) }, sampleRate)
  return structuredClone(counts)
}

/** Builds the report of objects per day and shard, shard by shard. */
function buildShardedReport(events: readonly StoredAnalyticsEvent[], shards: number, sampleRate: number) {
  const builder = new ReportBuilder(sampleRate)
  for (const shardEvents of Map.groupBy(events, ({ device }) => getShard(device, shards)).values()) {
    for (const dayEvents of Map.groupBy(shardEvents, ({ at }) => getDayStart(at)).values())
      builder.add(countAll(dayEvents, sampleRate))
    builder.endBrowserGroup()
  }
  return builder.build()
}

test('a report over days and shards has the figures of one list of all events', () => {
  fc.assert(
    fc.property(
      eventsArbitrary(END, 5),
      fc.constantFrom(1, 2, 4, 8),
      fc.constantFrom(1, 2, 5),
      (events, shards, sampleRate) => {
        expect(buildShardedReport(events, shards, sampleRate)).toEqual(computeFigures(events, sampleRate))
      },
    ),
  )
})
