import { type Event, VISIT_GAP_MS } from '../../../contract/events/events.ts'
import { getClip } from './event-recording.ts'
import { eventTags, tagLabel } from './event-types.ts'

/** Number of kinds that the title of a visit names. */
const MAX_TITLE_KINDS = 2

/** Clips of one camera with short gaps between them, or a single clip. */
export interface Visit {
  /** Events of the visit, oldest first. */
  readonly clips: readonly Event[]
  /** Start of the first clip and end of the last one, ms UTC. */
  readonly begin: number
  readonly end: number
}

const getEventEnd = ({ event_ts, event_resources: [clip] }: Event) => Math.max(event_ts, clip?.end_time ?? 0)

/**
 * Groups `events` (newest first) into visits whose clips have gaps shorter than `gapMs`. The visits that started last
 * come first.
 */
export function groupVisits(events: readonly Event[], gapMs = VISIT_GAP_MS): Visit[] {
  const visits: { clips: Event[]; begin: number; end: number }[] = []
  const latest = new Map<string, (typeof visits)[number]>()
  for (const event of events) {
    const { event_ts: begin, device_id } = event
    const end = getEventEnd(event)
    const visit = latest.get(device_id)
    if (visit && visit.begin - end < gapMs) {
      visit.clips.push(event)
      visit.begin = begin
      visit.end = Math.max(visit.end, end)
    } else {
      const started = { clips: [event], begin, end }
      visits.push(started)
      latest.set(device_id, started)
    }
  }
  for (const { clips } of visits) clips.reverse()
  return visits.sort((a, b) => b.begin - a.begin)
}

/**
 * Returns the event that represents a visit: the only clip, or a summary with the id, time and camera of the first
 * clip, the tags of all clips, and a title. The length of its clip is the total length of all clips.
 */
export function summarizeVisit({ clips }: Visit): Event {
  const [first] = clips as readonly [Event]
  if (clips.length === 1) return first
  const length = clips.reduce((sum, clip) => sum + (getClip(clip)?.length ?? 0), 0)
  const resource = clips.find((clip) => getClip(clip))?.event_resources[0]
  return {
    ...first,
    title: titleVisit(clips),
    tags: [...new Set(clips.flatMap(({ tags }) => tags))],
    reviewed: clips.every(({ reviewed }) => reviewed),
    event_resources: resource ? [{ ...resource, end_time: resource.begin_time + length }] : [],
  }
}

/**
 * Returns the title of the first clip that shows the strongest kinds of the visit, such as `Person with a dog`. If no
 * single clip shows them, joins their names: `Person and vehicle`.
 */
function titleVisit(clips: readonly Event[]): string {
  const kinds = eventTags({ tags: clips.flatMap(({ tags }) => tags) })
  // A visit with a specific kind is never called "Motion".
  const strongest = (kinds.length > 1 ? kinds.filter(({ id }) => id !== '4') : kinds).slice(0, MAX_TITLE_KINDS)
  const match = clips.find(({ tags }) => strongest.every(({ id }) => tags.includes(id)))
  return match?.title ?? strongest.map(({ name }, i) => (i === 0 ? tagLabel(name) : name.toLowerCase())).join(' and ')
}
