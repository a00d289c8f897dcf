import { PICTURE_PARTS, type FoundBox, type DetectionTrack } from '../../contract/events/detections.ts'
import type { Box } from '../../scenes/manifest.ts'

/** Maximum gap within a track, seconds; a longer gap means that the object was hidden, and starts a new track. */
const GAP_S = 0.8
/** Maximum error of a simplified track, thousandths of the frame. */
const SLACK = 8

/** Returns the center of a box, as fractions of the frame. */
const middle = ({ x, y, w, h }: Box): [number, number] => [x + w / 2, y + h / 2]

function distance(a: Box, b: Box): number {
  const [[ax, ay], [bx, by]] = [middle(a), middle(b)]
  return Math.hypot(ax - bx, ay - by)
}

/** Groups boxes of one object into tracks: each box joins the nearest track of its kind without a box at this time. */
function groupIntoTracks(boxes: readonly Box[]): Box[][] {
  const tracks: Box[][] = []
  for (const box of boxes) {
    const near = tracks
      .flatMap((track) => {
        const last = track.at(-1)
        return last?.kind === box.kind && last.t < box.t && box.t - last.t <= GAP_S ? [{ track, last }] : []
      })
      .sort((a, b) => distance(a.last, box) - distance(b.last, box))[0]
    if (near) near.track.push(box)
    else tracks.push([box])
  }
  return tracks
}

/** Returns true if linear interpolation between `from` and `to` reproduces each of these boxes within `SLACK`. */
function onTheWay(boxes: readonly FoundBox[], from: FoundBox, to: FoundBox): boolean {
  return boxes.every((box) => {
    const share = (box[0] - from[0]) / (to[0] - from[0])
    return [1, 2, 3, 4].every((i) => Math.abs(from[i]! + (to[i]! - from[i]!) * share - box[i]!) <= SLACK)
  })
}

/** Drops boxes that can be interpolated: an object that stands still needs two. */
function thinned(boxes: readonly FoundBox[]): FoundBox[] {
  const result = boxes.slice(0, 1)
  for (let from = 0; from < boxes.length - 1;) {
    let to = from + 1
    while (to + 1 < boxes.length && onTheWay(boxes.slice(from + 1, to + 1), boxes[from]!, boxes[to + 1]!)) to += 1
    result.push(boxes[to]!)
    from = to
  }
  return result
}

const parts = (fraction: number): number => Math.min(PICTURE_PARTS, Math.max(0, Math.round(fraction * PICTURE_PARTS)))

/**
 * Returns the detections in a clip that shows a segment from `begin` to `end`. `boxes`: ground truth of the action. All
 * times are in seconds of the segment.
 */
export function buildDetectionTracks(boxes: readonly Box[], begin: number, end: number): DetectionTrack[] {
  const visibleBoxes = boxes.filter(({ t }) => t >= begin && t <= end)
  /* A detection in a single sample would only flash. */
  const seen = groupIntoTracks(visibleBoxes).filter(({ length }) => length > 1)
  return seen.map((track) => ({
    kind: track[0]?.kind ?? '',
    boxes: thinned(
      track.map(({ t, x, y, w, h }): FoundBox => [
        Math.round((t - begin) * 100),
        parts(x),
        parts(y),
        parts(w),
        parts(h),
      ]),
    ),
  }))
}
