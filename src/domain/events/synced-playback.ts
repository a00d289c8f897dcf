import type { Event } from '../../../contract/events/events.ts'
import { getClip } from './event-recording.ts'
import type { Span } from '../time/date-range.ts'

/** How far the strips reach to either side of the moment that was picked, ms. */
const AROUND_MS = 60_000
/** No clip is longer, ms: one that begins earlier does not reach. */
const CLIP_MAX_MS = 180_000

/** A clip and its event. `begin` and `end` are when its first and last picture were taken, ms UTC. */
export interface TimedClip {
  readonly event: Event
  readonly begin: number
  readonly end: number
}

/** What one camera recorded around a moment, in order of time; at least one clip. */
export interface CameraClips {
  readonly deviceId: string
  readonly clips: readonly TimedClip[]
}

/** What the strips show of a moment, ms UTC. */
export function spanAround(at: number): Span {
  return { begin: at - AROUND_MS, end: at + AROUND_MS }
}

/** When the events begin whose clips may reach into `span`, ms UTC. */
export function spanToAsk({ begin, end }: Span): Span {
  return { begin: begin - CLIP_MAX_MS, end: end + CLIP_MAX_MS }
}

/** The clips of events that have one, in order of time. */
export function timedClips(events: readonly Event[]): TimedClip[] {
  return events
    .flatMap((event) => {
      const resource = getClip(event)?.resource
      return resource && resource.end_time > resource.begin_time
        ? [{ event, begin: resource.begin_time, end: resource.end_time }]
        : []
    })
    .toSorted((a, b) => a.begin - b.begin)
}

/**
 * The clips that lie in `span`, by camera: first the one of the event that was opened, or else who recorded the moment `at`,
 * then the others in the order of `order`. Cameras that `order` does not name come last.
 */
export function clipsByCamera(
  events: readonly Event[],
  span: Span,
  { at, opened, order }: { readonly at: number; readonly opened: string; readonly order: readonly string[] },
): CameraClips[] {
  const inside = timedClips(events).filter(({ begin, end }) => begin < span.end && end > span.begin)
  const cameras = [...Map.groupBy(inside, ({ event }) => event.device_id)].map(([deviceId, clips]) => ({
    deviceId,
    clips,
  }))
  const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const isOpened = ({ clips }: CameraClips) => clips.some(({ event }) => event.event_id === opened)
  const rank = (camera: CameraClips) => (isOpened(camera) ? 0 : camera.clips.some((clip) => covers(clip, at)) ? 1 : 2)
  return cameras.toSorted((a, b) => rank(a) - rank(b) || place(a.deviceId) - place(b.deviceId))
}

const covers = ({ begin, end }: Span, at: number): boolean => at >= begin && at < end

/** Times in which more than one camera recorded, in order of time; touching ones are one. */
export function sharedSpans(clips: readonly TimedClip[]): Span[] {
  const edges = clips
    .flatMap(({ event: { device_id }, begin, end }) => [
      { at: begin, device_id, step: 1 },
      { at: end, device_id, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || b.step - a.step)
  const running = new Map<string, number>()
  const found: { begin: number; end: number }[] = []
  let begin: number | null = null
  for (const { at, device_id, step } of edges) {
    const left = (running.get(device_id) ?? 0) + step
    if (left > 0) running.set(device_id, left)
    else running.delete(device_id)
    if (running.size > 1) begin ??= at
    else if (begin !== null) {
      const last = found.at(-1)
      if (last?.end === begin) last.end = at
      else if (at > begin) found.push({ begin, end: at })
      begin = null
    }
  }
  return found
}

/** The nearest times before and after the moment `at` in which more than one camera recorded; the one that holds it is neither. */
export function sharedBeside(spans: readonly Span[], at: number): { earlier: Span | null; later: Span | null } {
  return {
    earlier: spans.findLast(({ end }) => end <= at) ?? null,
    later: spans.find(({ begin }) => begin > at) ?? null,
  }
}
