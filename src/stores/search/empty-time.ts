import type { Event } from '../../../contract/events/events.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { request } from '../../api/api-client.ts'
import { eventsRequest } from '../../early/requests/events.ts'
import type { EmptyTime } from '../../domain/search/empty-time.ts'
import type { Span } from '../../domain/time/date-range.ts'
import { $isFreeView } from '../home/devices.ts'

/** Timeline and nearest clips of the cameras of a search, around a time without a clip. */
export interface TimeSurroundings {
  /** Timeline of the first named camera in `EmptyTime.view`; null if it could not be loaded. */
  readonly runs: readonly TimelineRun[] | null
  /** Clips of the named cameras within a day, oldest first. */
  readonly events: readonly Event[]
  readonly before: Event | null
  readonly after: Event | null
  /** Clips of the other cameras in the searched span, oldest first. */
  readonly others: readonly Event[]
}

async function loadClips({ begin, end }: Span, deviceIds: readonly string[]): Promise<Event[]> {
  const { call, input } = eventsRequest({ begin, end }, $isFreeView.get())
  const response = await request(call, { ...input, device_id_list: [...deviceIds] })
  if (!response.ok) return []
  return response.data.event_list
    .filter(({ event_resources }) => event_resources.length > 0)
    .toSorted((a, b) => a.event_ts - b.event_ts)
}

/** Loads the timeline of the first named camera, its nearest clips, and the clips of other cameras. */
export async function loadTimeSurroundings({ deviceIds, span, view }: EmptyTime): Promise<TimeSurroundings> {
  const [first = ''] = deviceIds
  const [segments, events, all] = await Promise.all([
    request(timeline, { device_ids: [first], begin_time: view.begin, end_time: view.end }),
    loadClips({ begin: span.begin - DAY_MS, end: span.end + DAY_MS }, deviceIds),
    loadClips(span, []),
  ])
  return {
    runs: segments.ok ? (segments.data.devices[0]?.runs ?? null) : null,
    events,
    before: events.findLast(({ event_ts }) => event_ts < span.begin) ?? null,
    after: events.find(({ event_ts }) => event_ts > span.end) ?? null,
    others: all.filter(({ device_id }) => !deviceIds.includes(device_id)),
  }
}
