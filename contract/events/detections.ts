import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/** Largest frame coordinate: positions are thousandths of the frame's width and height. */
export const COORDINATE_MAX = 1000
export const TRACKS_MAX = 8
export const BOXES_MAX = 100

export const coordinate = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(COORDINATE_MAX))
/**
 * `[at, x, y, w, h]`: hundredths of a second from the start of the clip; left, top, width and height in thousandths of
 * the frame.
 */
const box = v.tuple([
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
  coordinate,
  coordinate,
  coordinate,
  coordinate,
])
export type DetectionBox = v.InferOutput<typeof box>

/**
 * Boxes of one object while it was visible, oldest first. Between two boxes, the object moves linearly. `kind`: a word
 * such as `person`.
 */
export const detectionTrack = v.object({
  kind: text(20),
  boxes: v.pipe(v.array(box), v.minLength(1), v.maxLength(BOXES_MAX)),
})
export type DetectionTrack = v.InferOutput<typeof detectionTrack>

/** Detections of a clip. An object that hides and reappears starts a new track. */
export const clipDetections = v.pipe(v.array(detectionTrack), v.maxLength(TRACKS_MAX))

/** Parses detections, possibly of another version. Returns an empty list if they are unreadable. */
export function parseDetections(value: unknown): readonly DetectionTrack[] {
  const parsed = v.safeParse(clipDetections, value)
  return parsed.success ? parsed.output : []
}
