import type { AccessUnit } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'

/** Frame interval until it is measured, ms. */
const USUAL_MS = 66
/** Usual difference between the picture order counts of adjacent frames: encoders count a frame as two fields. */
const USUAL_STEP = 2

/** Lead of decode times over arrival when frames are reordered, ms, so that no frame is shown before it is decoded. */
const LEAD_MS = 1000

/** Number of recent frames that are remembered; more than the 16 that a decoder keeps for reordering (H.264 §A.3.1). */
const WINDOW = 40

interface PresentedFrame {
  readonly place: number
  readonly at: number
}

interface Group {
  /** `begun`: arrival time of the keyframe. `first`: its picture order count. */
  readonly begun: number
  readonly first: number
  length: number
  /** Greatest common divisor of the picture order counts in this GOP, each relative to the keyframe's count. */
  divisor: number
  /** Picture order count of the newest frame, relative to the keyframe's count. */
  count: number
  came: number[]
  shown: PresentedFrame[]
}

/**
 * Computes presentation times of a live stream on arrival, without waiting. Without reordering, the arrival time of the
 * frame is used; with reordering, that of the frame whose stream position equals this frame's presentation position.
 */
export class PresentationTimes {
  private readonly order = new PictureOrder()
  private steppedBack = false
  private reorders = false
  private step = USUAL_STEP
  private pace = USUAL_MS
  private group: Group | undefined

  /** Detects reordering from earlier frames; the first one must be a keyframe. */
  learn(units: readonly AccessUnit[]): void {
    for (const unit of units) this.of(unit)
    this.measure(USUAL_STEP)
    this.group = undefined
  }

  /** Returns decode and presentation time, ms on the clock of `pts`. */
  of(unit: AccessUnit): { readonly decoded: number; readonly shown: number } {
    const presentationTime = this.shownAt(unit)
    return { shown: presentationTime, decoded: this.reorders ? unit.pts - LEAD_MS : unit.pts }
  }

  private shownAt(unit: AccessUnit): number {
    const count = this.order.readCount(unit)
    if (unit.keyframe || !this.group) return this.startGroup(unit.pts, count ?? 0)
    const group = this.add(this.group, unit.pts, count)
    if (!this.reorders) return unit.pts
    const place = Math.round(group.count / this.step)
    const at = between(group.shown, place, this.estimateArrival(group, place))
    group.shown = [...group.shown.slice(-WINDOW), { place, at }]
    return at
  }

  private startGroup(pts: number, first: number): number {
    this.measure(0)
    const latest = Math.max(-Infinity, ...(this.group?.shown.map(({ at }) => at) ?? []))
    const at = this.reorders ? Math.max(pts, latest + 1) : pts
    this.group = { begun: pts, first, length: 1, divisor: 0, count: 0, came: [pts], shown: [{ place: 0, at }] }
    return at
  }

  /** Adds a frame to the GOP. A frame whose picture order count cannot be read gets the next expected count. */
  private add(group: Group, pts: number, count = group.first + group.count + this.step): Group {
    this.steppedBack ||= count - group.first < group.count
    group.count = count - group.first
    group.divisor = greatestDivisor(group.divisor, group.count)
    group.length++
    group.came = [...group.came.slice(-WINDOW), pts]
    return group
  }

  /**
   * Measures the frame interval, the reordering and the count step of the last GOP. The step must also divide
   * `multiple`, unless that is 0.
   */
  private measure(multiple: number): void {
    if (!this.group || this.group.length < 2) return
    const { came, begun: startedAt, length, divisor } = this.group
    this.pace = Math.max(1, ((came.at(-1) ?? 0) - startedAt) / (length - 1))
    this.step = greatestDivisor(divisor, multiple) || USUAL_STEP
    this.reorders = this.steppedBack
  }

  /**
   * Returns the arrival time of the frame at this stream position; the expected time if that frame has not arrived yet.
   */
  private estimateArrival({ came, length }: Group, place: number): number {
    const later = place - (length - 1)
    const newest = came.at(-1) ?? 0
    return later > 0 ? newest + later * this.pace : (came.at(later - 1) ?? newest)
  }
}

/**
 * Returns `at` if it lies between the times of the frames presented before and after this position, otherwise a time
 * between them: times that were already sent cannot change.
 */
function between(frames: readonly PresentedFrame[], place: number, at: number): number {
  let before: PresentedFrame | undefined
  let after: PresentedFrame | undefined
  for (const frame of frames) {
    if (frame.place <= place && (!before || frame.at > before.at)) before = frame
    if (frame.place > place && (!after || frame.at < after.at)) after = frame
  }
  if (!before) return at
  if (!after) return Math.max(at, before.at + 1)
  if (at > before.at && at < after.at) return at
  return before.at + ((after.at - before.at) * (place - before.place)) / (after.place - before.place)
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : greatestDivisor(b, a % b)
}
