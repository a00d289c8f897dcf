import { EVENT_TAGS, TAG_ID_BY_SCENE_WORD } from '../../../contract/events/event-tags.ts'
import { COORDINATE_MAX, type DetectionBox, type DetectionTrack } from '../../../contract/events/detections.ts'

/** Bounding box in fractions of the frame, from its upper left corner. */
export interface DetectionRect {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Time for which a track stays visible before its first and after its last box, in seconds. */
const TRACK_MARGIN_S = 0.25

const getBoxTime = ([at]: DetectionBox): number => at / 100

/**
 * Returns the position of a track at a second of its clip, interpolated linearly between boxes; null while it is not
 * visible.
 */
export function interpolateBox({ boxes }: DetectionTrack, second: number): DetectionRect | null {
  const first = boxes[0]
  const last = boxes.at(-1)
  if (!first || !last || second < getBoxTime(first) - TRACK_MARGIN_S || second > getBoxTime(last) + TRACK_MARGIN_S)
    return null
  const after = boxes.findIndex((box) => getBoxTime(box) > second)
  const from = after < 0 ? last : (boxes[after - 1] ?? first)
  const to = after < 0 ? last : (boxes[after] ?? first)
  const span = getBoxTime(to) - getBoxTime(from)
  const progress = span > 0 ? (second - getBoxTime(from)) / span : 0
  const interpolate = (i: 1 | 2 | 3 | 4) => (from[i] + (to[i] - from[i]) * progress) / COORDINATE_MAX
  return { x: interpolate(1), y: interpolate(2), w: interpolate(3), h: interpolate(4) }
}

/**
 * Returns the display name of a detection: the name of the matching event tag, or the camera's own word if there is no
 * such tag.
 */
export function formatDetectionKind(kind: string): string {
  const name = EVENT_TAGS.find(({ id }) => id === TAG_ID_BY_SCENE_WORD[kind])?.name ?? kind
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Text alternative for the outlines in a clip: "Outlined: person, package". */
export function detectionsText(tracks: readonly DetectionTrack[]): string {
  const names = new Set(tracks.map(({ kind }) => formatDetectionKind(kind).toLowerCase()))
  return `Outlined: ${[...names].join(', ')}`
}

/** Returns the span of all detections in seconds of the clip; null if there are none. */
export function getDetectionSpan(tracks: readonly DetectionTrack[]): { from: number; to: number } | null {
  const boxes = tracks.flatMap((track) => track.boxes)
  if (boxes.length === 0) return null
  const seconds = boxes.map(getBoxTime)
  return { from: Math.min(...seconds), to: Math.max(...seconds) }
}
