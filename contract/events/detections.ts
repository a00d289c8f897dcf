import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/** Number of units into which positions divide the width and the height of the frame. */
export const PICTURE_PARTS = 1000
export const TRACKS_MAX = 8
export const BOXES_MAX = 100

const part = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(PICTURE_PARTS))
/**
 * `[at, x, y, w, h]`: hundredths of a second from the start of the clip; left, top, width and height in thousandths of
 * the frame.
 */
const box = v.strictTuple([
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
  part,
  part,
  part,
  part,
])
export type FoundBox = v.InferOutput<typeof box>

/**
 * Boxes of one object while it was visible, oldest first; motion between them is linear. `kind`: a word such as
 * `person`.
 */
export const foundTrack = v.object({
  kind: text(20),
  boxes: v.pipe(v.array(box), v.minLength(1), v.maxLength(BOXES_MAX)),
})
export type DetectionTrack = v.InferOutput<typeof foundTrack>

/** Detections of a clip. An object that hides and reappears starts a new track. */
export const found = v.pipe(v.array(foundTrack), v.maxLength(TRACKS_MAX))

/** Reads detections of another version; returns an empty list if they are unreadable. */
export function readDetections(value: unknown): readonly DetectionTrack[] {
  const read = v.safeParse(found, value)
  return read.success ? read.output : []
}
