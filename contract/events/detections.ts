import * as v from 'valibot'
import { text } from '../wire/envelope.ts'

/** A place in a picture is told in so many parts of its width or height. */
export const PICTURE_PARTS = 1000
/** So many tracks at most are told of one clip, and so many boxes of one track. */
export const TRACKS_MAX = 8
export const BOXES_MAX = 100

const part = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(PICTURE_PARTS))
/** `[at, x, y, w, h]`: hundredths of a second from the beginning of the clip; left, top, width and height in thousandths of the picture. */
const box = v.strictTuple([
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000)),
  part,
  part,
  part,
  part,
])
export type FoundBox = v.InferOutput<typeof box>

/** Where one thing was as long as it could be seen, oldest first; in between it went straight on. `kind`: a word such as `person`. */
export const foundTrack = v.object({
  kind: text(20),
  boxes: v.pipe(v.array(box), v.minLength(1), v.maxLength(BOXES_MAX)),
})
export type DetectionTrack = v.InferOutput<typeof foundTrack>

/** What was found in a clip, and where. What hides and comes back is a track of its own. */
export const found = v.pipe(v.array(foundTrack), v.maxLength(TRACKS_MAX))

/** Reads what another version has sent; what cannot be read counts as not known. */
export function readDetections(value: unknown): readonly DetectionTrack[] {
  const read = v.safeParse(found, value)
  return read.success ? read.output : []
}
