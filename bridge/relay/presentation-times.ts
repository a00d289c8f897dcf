import type { AccessUnit } from '../media/h264/annex-b.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'

/** Distance of two pictures, ms, until it is known. */
const USUAL_MS = 66
/** Counts of neighbours differ by this where a frame counts as two fields, as encoders write it. */
const USUAL_STEP = 2

/** Pictures that change places are decoded so much earlier than they come, ms: none is shown before it is decoded. */
const LEAD_MS = 1000

/** No picture changes places with one further away than this (H.264 §A.3.1: a decoder keeps 16). */
const WINDOW = 40

interface PresentedFrame {
  readonly place: number
  readonly at: number
}

/** What has come since the last keyframe. */
interface Group {
  /** When its keyframe came, and the count of that. */
  readonly begun: number
  readonly first: number
  length: number
  /** Of all counts, from the keyframe's on. */
  divisor: number
  /** Count of the newest picture. */
  count: number
  /** When the newest pictures came, and when they are shown. */
  came: number[]
  shown: PresentedFrame[]
}

/**
 * When the pictures of a live stream are shown, as they come and without waiting for one: at once where they come in the order
 * in which they are shown, else each at the time at which the picture of its place in the stream came.
 */
export class PresentationTimes {
  private readonly order = new PictureOrder()
  /** A picture has been shown before one that came earlier. */
  private steppedBack = false
  private reorders = false
  private step = USUAL_STEP
  private pace = USUAL_MS
  private group: Group | undefined

  /** Learns from pictures that have come before, the first a keyframe, whether there is an order to mind. */
  learn(units: readonly AccessUnit[]): void {
    for (const unit of units) this.of(unit)
    this.measure(USUAL_STEP)
    this.group = undefined
  }

  /** When this picture is decoded and shown, ms on the clock of its `pts`. */
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

  /** A picture that cannot be read is taken for what is due. */
  private add(group: Group, pts: number, count = group.first + group.count + this.step): Group {
    this.steppedBack ||= count - group.first < group.count
    group.count = count - group.first
    group.divisor = greatestDivisor(group.divisor, group.count)
    group.length++
    group.came = [...group.came.slice(-WINDOW), pts]
    return group
  }

  /** What the last group says of the stream; the step of its counts is a divisor of this, where it is not 0. */
  private measure(multiple: number): void {
    if (!this.group || this.group.length < 2) return
    const { came, begun: startedAt, length, divisor } = this.group
    this.pace = Math.max(1, ((came.at(-1) ?? 0) - startedAt) / (length - 1))
    this.step = greatestDivisor(divisor, multiple) || USUAL_STEP
    this.reorders = this.steppedBack
  }

  /** When the picture at this place in the stream came, or is expected to. */
  private estimateArrival({ came, length }: Group, place: number): number {
    const later = place - (length - 1)
    const newest = came.at(-1) ?? 0
    return later > 0 ? newest + later * this.pace : (came.at(later - 1) ?? newest)
  }
}

/** After those that are shown before this place and before those after it: what has been sent keeps its time. */
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
