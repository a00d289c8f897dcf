import { PICTURE_PARTS, type FoundBox, type DetectionTrack } from '../../contract/events/detections.ts'
import type { Box } from '../../scenes/manifest.ts'

/** Further apart than this, in seconds, two boxes are not of one track: in between it was hidden. */
const GAP_S = 0.8
/** What a track may be off by when boxes that lie on its way are left out, thousandths of the picture. */
const SLACK = 8

/** Middle of a box, fractions of the picture. */
const middle = ({ x, y, w, h }: Box): [number, number] => [x + w / 2, y + h / 2]

function distance(a: Box, b: Box): number {
  const [[ax, ay], [bx, by]] = [middle(a), middle(b)]
  return Math.hypot(ax - bx, ay - by)
}

/** Boxes of the same thing, one after the other: each goes to the nearest track of its kind that has none of this moment yet. */
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

/** Whether every box between two others lies where they are joined by a straight line. */
function onTheWay(boxes: readonly FoundBox[], from: FoundBox, to: FoundBox): boolean {
  return boxes.every((box) => {
    const share = (box[0] - from[0]) / (to[0] - from[0])
    return [1, 2, 3, 4].every((i) => Math.abs(from[i]! + (to[i]! - from[i]!) * share - box[i]!) <= SLACK)
  })
}

/** Leaves out what follows from its neighbours: something that stands still needs two boxes. */
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

/** What the ground truth of an action (seconds in its segment) says of a clip that shows the segment from `begin` to `end`. */
export function foundIn(boxes: readonly Box[], begin: number, end: number): DetectionTrack[] {
  const visibleBoxes = boxes.filter(({ t }) => t >= begin && t <= end)
  /* What is seen in one sample alone would only flash. */
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
