import type { Event } from '../../../contract/events/events.ts'
import { getClip } from './event-recording.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { eventTags } from './event-types.ts'
// eslint-disable-next-line no-restricted-syntax -- Times in CSV files are the same everywhere.
import { formatTime, toDay } from '../time/local-time.ts'

const CSV_COLUMN_TITLES = ['Date', 'Time', 'Camera', 'Title', 'Tags', 'Clip length (s)', 'Seen', 'Event ID']

/** Returns the events as CSV in the given order, with times in the browser's time zone. */
export function eventsCsv(events: readonly Event[], getCameraName: (deviceId: string) => string): string {
  const rows = events.map((event) => [
    toDay(event.event_ts),
    formatTime(event.event_ts, 'HH:mm:ss'),
    getCameraName(event.device_id),
    event.title,
    eventTags(event)
      .map((tag) => tag.name)
      .join('; '),
    Math.round((getClip(event)?.length ?? 0) / 1000),
    event.reviewed ? 'yes' : 'no',
    event.event_id,
  ])
  return toCsv([CSV_COLUMN_TITLES, ...rows])
}
