import { EVENT_TAGS, TAG_OF_WORD } from '../../../contract/events/event-tags.ts'
import { PICTURE_PARTS, type FoundBox, type DetectionTrack } from '../../../contract/events/detections.ts'

/** A box in fractions of the picture, from its upper left corner. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** So long before its first and after its last box, in seconds, a thing is still about there. */
const EDGE_S = 0.25

const boxSecond = ([at]: FoundBox): number => at / 100

/** Where a track is at a second of its clip; null while it cannot be seen. Between two boxes it goes straight on. */
export function placeAt({ boxes }: DetectionTrack, second: number): Place | null {
  const first = boxes[0]
  const last = boxes.at(-1)
  if (!first || !last || second < boxSecond(first) - EDGE_S || second > boxSecond(last) + EDGE_S) return null
  const after = boxes.findIndex((box) => boxSecond(box) > second)
  const from = after < 0 ? last : (boxes[after - 1] ?? first)
  const to = after < 0 ? last : (boxes[after] ?? first)
  const span = boxSecond(to) - boxSecond(from)
  const share = span > 0 ? (second - boxSecond(from)) / span : 0
  const part = (i: 1 | 2 | 3 | 4) => (from[i] + (to[i] - from[i]) * share) / PICTURE_PARTS
  return { x: part(1), y: part(2), w: part(3), h: part(4) }
}

/** What a kind is called: as its tag, or as the camera calls it where there is no such tag. */
export function foundName(kind: string): string {
  const name = EVENT_TAGS.find(({ id }) => id === TAG_OF_WORD[kind])?.name ?? kind
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** What is outlined in a clip, for those who do not see it: "Outlined: person, package". */
export function detectionsText(tracks: readonly DetectionTrack[]): string {
  const names = new Set(tracks.map(({ kind }) => foundName(kind).toLowerCase()))
  return `Outlined: ${[...names].join(', ')}`
}

/** From when to when, in seconds of the clip, anything is found; null: nothing is. */
export function foundSpan(tracks: readonly DetectionTrack[]): { from: number; to: number } | null {
  const boxes = tracks.flatMap((track) => track.boxes)
  if (boxes.length === 0) return null
  const seconds = boxes.map(boxSecond)
  return { from: Math.min(...seconds), to: Math.max(...seconds) }
}
