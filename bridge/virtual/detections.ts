import { COORDINATE_MAX, type DetectionBox, type DetectionTrack } from '../../contract/events/detections.ts'
import type { TimedBox } from '../../scenes/manifest.ts'

/** Maximum gap within a track, seconds. A longer gap means that the object was hidden, so a new track starts. */
const MAX_GAP_S = 0.8
/** Maximum error of a simplified track, thousandths of the frame. */
const MAX_TRACK_ERROR_THOUSANDTHS = 8

const getCenter = ({ x, y, w, h }: TimedBox): [number, number] => [x + w / 2, y + h / 2]

function distance(a: TimedBox, b: TimedBox): number {
  const [[ax, ay], [bx, by]] = [getCenter(a), getCenter(b)]
  return Math.hypot(ax - bx, ay - by)
}

/**
 * Groups boxes into tracks. A box joins the nearest track of its kind whose last box is earlier, by at most
 * `MAX_GAP_S`. Without such a track, the box starts a new track.
 */
function groupIntoTracks(boxes: readonly TimedBox[]): TimedBox[][] {
  const tracks: TimedBox[][] = []
  for (const box of boxes) {
    const nearest = tracks
      .flatMap((track) => {
        const last = track.at(-1)
        return last?.kind === box.kind && last.t < box.t && box.t - last.t <= MAX_GAP_S ? [{ track, last }] : []
      })
      .sort((a, b) => distance(a.last, box) - distance(b.last, box))[0]
    if (nearest) nearest.track.push(box)
    else tracks.push([box])
  }
  return tracks
}

function canInterpolate(boxes: readonly DetectionBox[], from: DetectionBox, to: DetectionBox): boolean {
  return boxes.every((box) => {
    const share = (box[0] - from[0]) / (to[0] - from[0])
    return [1, 2, 3, 4].every(
      (i) => Math.abs(from[i]! + (to[i]! - from[i]!) * share - box[i]!) <= MAX_TRACK_ERROR_THOUSANDTHS,
    )
  })
}

/** Drops boxes that linear interpolation can reproduce. An object that does not move keeps its first and last box. */
function simplifyTrack(boxes: readonly DetectionBox[]): DetectionBox[] {
  const result = boxes.slice(0, 1)
  for (let from = 0; from < boxes.length - 1;) {
    let to = from + 1
    while (to + 1 < boxes.length && canInterpolate(boxes.slice(from + 1, to + 1), boxes[from]!, boxes[to + 1]!)) to += 1
    result.push(boxes[to]!)
    from = to
  }
  return result
}

const toFrameParts = (fraction: number): number =>
  Math.min(COORDINATE_MAX, Math.max(0, Math.round(fraction * COORDINATE_MAX)))

/**
 * Returns the detections in a clip that shows a segment from `begin` to `end`. `boxes`: rendered positions of the
 * objects. The times of all three parameters are seconds since the start of the segment.
 */
export function buildDetectionTracks(boxes: readonly TimedBox[], begin: number, end: number): DetectionTrack[] {
  const visibleBoxes = boxes.filter(({ t }) => t >= begin && t <= end)
  /* Drop tracks with a single box, because the box would only flash. */
  const seen = groupIntoTracks(visibleBoxes).filter(({ length }) => length > 1)
  return seen.map((track) => ({
    kind: track[0]?.kind ?? '',
    boxes: simplifyTrack(
      track.map(({ t, x, y, w, h }): DetectionBox => [
        Math.round((t - begin) * 100),
        toFrameParts(x),
        toFrameParts(y),
        toFrameParts(w),
        toFrameParts(h),
      ]),
    ),
  }))
}
