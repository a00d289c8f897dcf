import { toCsv } from '../../../contract/wire/csv.ts'
import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import { makeUniqueFileNames } from '../../events/export/archive-file-names.ts'
import type { ExportedEvent } from '../../events/export/data-export-rows.ts'
import type { ZonedClock } from './zoned-clock.ts'

const CSV_HEADER = ['Date', 'Time', 'Camera', 'Title', 'Kinds', 'Clip length (s)', 'Seen', 'File', 'Event ID']

export type NamedEvent = ExportedEvent & { readonly camera: string }

/**
 * Returns a unique archive file name for each event, made of camera and time. Also returns names for events without a
 * clip.
 */
export function createClipNames(events: readonly NamedEvent[], clock: ZonedClock): string[] {
  const names = events.map(({ camera, event_ts }) => {
    const { date, time } = clock(event_ts)
    return `${camera.replace(/[\\/:*?"<>|]/gu, ' ')} ${date} ${time.replaceAll(':', '.')}.mp4`
  })
  return makeUniqueFileNames(names).map((name) => `clips/${name}`)
}

const formatTagNames = ({ tags }: ExportedEvent) => {
  const ids = JSON.parse(tags) as readonly string[]
  return EVENT_TAGS.filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join('; ')
}

/** Renders the events as CSV. `files`: file name of each event's clip; '' for an event without a clip. */
export function renderEventsCsv(events: readonly NamedEvent[], files: readonly string[], clock: ZonedClock): string {
  const rows = events.map((event, i) => {
    const { date, time } = clock(event.event_ts)
    const seconds = Math.round(((event.clip_end ?? 0) - (event.clip_begin ?? 0)) / 1000)
    const [seen, file] = [event.reviewed === 1 ? 'yes' : 'no', files[i] ?? '']
    return [date, time, event.camera, event.title, formatTagNames(event), seconds, seen, file, event.event_id]
  })
  return toCsv([CSV_HEADER, ...rows])
}
