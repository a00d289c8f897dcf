import type { AccessUnit } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'

/** Frame interval until it is measured, ms. */
const DEFAULT_INTERVAL_MS = 66
/**
 * Default difference between the picture order counts of adjacent frames. It is 2, because encoders count a frame as
 * two fields.
 */
const DEFAULT_COUNT_STEP = 2

/**
 * Lead of decode times over arrival times if frames are reordered, ms. A frame may get the arrival time of an earlier
 * frame as its presentation time, and must be decoded before that time.
 */
const LEAD_MS = 1000

/** Number of recent frames to remember. Must exceed the 16 frames that a decoder may reorder (H.264 §A.3.1). */
const MAX_RECENT_FRAMES = 40

interface PresentedFrame {
  readonly presentationIndex: number
  readonly at: number
}

interface GopTimes {
  /** `startedAt`: arrival time of the keyframe, ms. `first`: picture order count of the keyframe. */
  readonly startedAt: number
  readonly first: number
  length: number
  /** Greatest common divisor of the picture order counts in this GOP, each relative to the keyframe's count. */
  divisor: number
  /** Picture order count of the newest frame, relative to the keyframe's count. */
  count: number
  arrivals: number[]
  shown: PresentedFrame[]
}

/**
 * Computes presentation times of a live stream without waiting for later frames. Without reordering, a frame gets its
 * own arrival time. If frames are reordered, the nth frame to present in a GOP gets the arrival time of the nth
 * received frame of this GOP.
 */
export class PresentationTimes {
  readonly #order = new PictureOrder()
  #hasReorderedFrames = false
  #isReordering = false
  #countStep = DEFAULT_COUNT_STEP
  #intervalMs = DEFAULT_INTERVAL_MS
  #gop: GopTimes | undefined

  /** Measures the frame interval and the reordering in the frames of one GOP, which must start with a keyframe. */
  learnFrom(units: readonly AccessUnit[]): void {
    for (const unit of units) this.getTimes(unit)
    this.#measureIntervals(DEFAULT_COUNT_STEP)
    this.#gop = undefined
  }

  /** Returns the decode time (`decoded`) and presentation time (`shown`) of a frame, ms on the clock of `pts`. */
  getTimes(unit: AccessUnit): { readonly decoded: number; readonly shown: number } {
    const presentationTime = this.#getPresentationTime(unit)
    return { shown: presentationTime, decoded: this.#isReordering ? unit.pts - LEAD_MS : unit.pts }
  }

  #getPresentationTime(unit: AccessUnit): number {
    const count = this.#order.readCount(unit)
    if (unit.keyframe || !this.#gop) return this.#startGop(unit.pts, count ?? 0)
    const gop = this.#add(this.#gop, unit.pts, count)
    if (!this.#isReordering) return unit.pts
    const presentationIndex = Math.round(gop.count / this.#countStep)
    const at = clampBetweenNeighbors(gop.shown, presentationIndex, this.#estimateArrival(gop, presentationIndex))
    gop.shown = [...gop.shown.slice(-MAX_RECENT_FRAMES), { presentationIndex: presentationIndex, at }]
    return at
  }

  #startGop(pts: number, first: number): number {
    this.#measureIntervals(0)
    const latest = Math.max(-Infinity, ...(this.#gop?.shown.map(({ at }) => at) ?? []))
    const at = this.#isReordering ? Math.max(pts, latest + 1) : pts
    this.#gop = {
      startedAt: pts,
      first,
      length: 1,
      divisor: 0,
      count: 0,
      arrivals: [pts],
      shown: [{ presentationIndex: 0, at }],
    }
    return at
  }

  /** Adds a frame to the GOP. A frame whose picture order count cannot be read gets the next expected count. */
  #add(gop: GopTimes, pts: number, count = gop.first + gop.count + this.#countStep): GopTimes {
    this.#hasReorderedFrames ||= count - gop.first < gop.count
    gop.count = count - gop.first
    gop.divisor = greatestCommonDivisor(gop.divisor, gop.count)
    gop.length++
    gop.arrivals = [...gop.arrivals.slice(-MAX_RECENT_FRAMES), pts]
    return gop
  }

  /**
   * Measures the frame interval, the reordering and the count step of the last GOP. The count step is a divisor of
   * `multiple`, unless `multiple` is 0.
   */
  #measureIntervals(multiple: number): void {
    if (!this.#gop || this.#gop.length < 2) return
    const { arrivals, startedAt, length, divisor } = this.#gop
    this.#intervalMs = Math.max(1, ((arrivals.at(-1) ?? 0) - startedAt) / (length - 1))
    this.#countStep = greatestCommonDivisor(divisor, multiple) || DEFAULT_COUNT_STEP
    this.#isReordering = this.#hasReorderedFrames
  }

  /**
   * Returns the arrival time of the GOP's frame number `presentationIndex` (from 0, in stream order), ms. Estimates the
   * time if this frame has not arrived yet.
   */
  #estimateArrival({ arrivals, length }: GopTimes, presentationIndex: number): number {
    const later = presentationIndex - (length - 1)
    const newest = arrivals.at(-1) ?? 0
    return later > 0 ? newest + later * this.#intervalMs : (arrivals.at(later - 1) ?? newest)
  }
}

/**
 * Moves `at` between the times of the frames presented before and after this position, because those times were already
 * sent.
 */
function clampBetweenNeighbors(frames: readonly PresentedFrame[], presentationIndex: number, at: number): number {
  let before: PresentedFrame | undefined
  let after: PresentedFrame | undefined
  for (const frame of frames) {
    if (frame.presentationIndex <= presentationIndex && (!before || frame.at > before.at)) before = frame
    if (frame.presentationIndex > presentationIndex && (!after || frame.at < after.at)) after = frame
  }
  if (!before) return at
  if (!after) return Math.max(at, before.at + 1)
  if (at > before.at && at < after.at) return at
  return (
    before.at +
    ((after.at - before.at) * (presentationIndex - before.presentationIndex)) /
      (after.presentationIndex - before.presentationIndex)
  )
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : greatestCommonDivisor(b, a % b)
}
