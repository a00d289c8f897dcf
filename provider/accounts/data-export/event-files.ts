import { toCsv } from '../../../contract/wire/csv.ts'
import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import { distinctNames } from '../../events/export/archive-file-names.ts'
import type { TakenEvent } from '../../events/export/data-export-rows.ts'
import type { ZonedClock } from './zoned-clock.ts'

const HEADER = ['Date', 'Time', 'Camera', 'Title', 'Kinds', 'Clip seconds', 'Seen', 'File', 'Event id']

export type NamedEvent = TakenEvent & { readonly camera: string }

/** Returns unique archive file names by camera and time. An event without a clip gets a name, too. */
export function clipNames(events: readonly NamedEvent[], clock: ZonedClock): string[] {
  const names = events.map(({ camera, event_ts }) => {
    const { date, time } = clock(event_ts)
    return `${camera.replace(/[\\/:*?"<>|]/gu, ' ')} ${date} ${time.replaceAll(':', '.')}.mp4`
  })
  return distinctNames(names).map((name) => `clips/${name}`)
}

const formatTagNames = ({ tags }: TakenEvent) => {
  const ids = JSON.parse(tags) as readonly string[]
  return EVENT_TAGS.filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join('; ')
}

/** Renders the events as CSV. `files`: the clip's name of each event, '' without one. */
export function eventsTable(events: readonly NamedEvent[], files: readonly string[], clock: ZonedClock): string {
  const rows = events.map((event, i) => {
    const { date, time } = clock(event.event_ts)
    const seconds = Math.round(((event.clip_end ?? 0) - (event.clip_begin ?? 0)) / 1000)
    const [seen, file] = [event.reviewed === 1 ? 'yes' : 'no', files[i] ?? '']
    return [date, time, event.camera, event.title, formatTagNames(event), seconds, seen, file, event.event_id]
  })
  return toCsv([HEADER, ...rows])
}
