import type { Event } from '../../../contract/events/events.ts'
import { getClip } from './event-recording.ts'
import type { Span } from '../time/date-range.ts'

const STRIP_HALF_WIDTH_MS = 60_000
/**
 * Maximum length of a clip, ms. A query extends its span by this length on both sides, because the event of an
 * overlapping clip may lie outside the span.
 */
const MAX_CLIP_LENGTH_MS = 180_000

/** Clip and its event. `begin` and `end` are the times of the first and last frame, ms UTC. */
export interface TimedClip {
  readonly event: Event
  readonly begin: number
  readonly end: number
}

/** Clips of one camera around a moment, oldest first; at least one. */
export interface CameraClips {
  readonly deviceId: string
  readonly clips: readonly TimedClip[]
}

/** Returns the span of the strips around a moment, ms UTC. */
export function getStripSpan(at: number): Span {
  return { begin: at - STRIP_HALF_WIDTH_MS, end: at + STRIP_HALF_WIDTH_MS }
}

/** Returns the span, ms UTC, that contains every event whose clip may overlap the given span. */
export function getQuerySpan({ begin, end }: Span): Span {
  return { begin: begin - MAX_CLIP_LENGTH_MS, end: end + MAX_CLIP_LENGTH_MS }
}

/** Returns the clips of these events, oldest first. Skips events without a clip. */
export function listTimedClips(events: readonly Event[]): TimedClip[] {
  return events
    .flatMap((event) => {
      const resource = getClip(event)?.resource
      return resource && resource.end_time > resource.begin_time
        ? [{ event, begin: resource.begin_time, end: resource.end_time }]
        : []
    })
    .toSorted((a, b) => a.begin - b.begin)
}

/** Returns the number of cameras that recorded within a minute of a moment (ms UTC). */
export function countCamerasAt(events: readonly Event[], at: number): number {
  const { begin, end } = getStripSpan(at)
  const inside = events.filter((event) => {
    const resource = getClip(event)?.resource
    return resource && resource.begin_time < end && resource.end_time > begin
  })
  return new Set(inside.map(({ device_id }) => device_id)).size
}

/**
 * Groups the clips in `span` by camera. The camera of the `opened` event comes first, then those that recorded the
 * moment `at`, then the others, each in `order`; cameras missing in `order` come last.
 */
export function groupClipsByCamera(
  events: readonly Event[],
  span: Span,
  { at, opened, order }: { readonly at: number; readonly opened: string; readonly order: readonly string[] },
): CameraClips[] {
  const inside = listTimedClips(events).filter(({ begin, end }) => begin < span.end && end > span.begin)
  const cameras = [...Map.groupBy(inside, ({ event }) => event.device_id)].map(([deviceId, clips]) => ({
    deviceId,
    clips,
  }))
  const orderIndex = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const isOpened = ({ clips }: CameraClips) => clips.some(({ event }) => event.event_id === opened)
  const rank = (camera: CameraClips) =>
    isOpened(camera) ? 0 : camera.clips.some((clip) => spanContains(clip, at)) ? 1 : 2
  return cameras.toSorted((a, b) => rank(a) - rank(b) || orderIndex(a.deviceId) - orderIndex(b.deviceId))
}

const spanContains = ({ begin, end }: Span, at: number): boolean => at >= begin && at < end

/** Returns the spans in which more than one camera recorded, oldest first; adjacent spans are merged. */
export function findSharedSpans(clips: readonly TimedClip[]): Span[] {
  const edges = clips
    .flatMap(({ event: { device_id }, begin, end }) => [
      { at: begin, device_id, step: 1 },
      { at: end, device_id, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || b.step - a.step)
  const running = new Map<string, number>()
  const spans: { begin: number; end: number }[] = []
  let begin: number | null = null
  for (const { at, device_id, step } of edges) {
    const runningCount = (running.get(device_id) ?? 0) + step
    if (runningCount > 0) running.set(device_id, runningCount)
    else running.delete(device_id)
    if (running.size > 1) begin ??= at
    else if (begin !== null) {
      const last = spans.at(-1)
      if (last?.end === begin) last.end = at
      else if (at > begin) spans.push({ begin, end: at })
      begin = null
    }
  }
  return spans
}

/** Returns the nearest shared spans before and after the moment `at`, excluding the span that contains it. */
export function findAdjacentSharedSpans(
  spans: readonly Span[],
  at: number,
): { earlier: Span | null; later: Span | null } {
  return {
    earlier: spans.findLast(({ end }) => end <= at) ?? null,
    later: spans.find(({ begin }) => begin > at) ?? null,
  }
}
