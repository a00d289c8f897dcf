import { nalType, NAL, type Picture } from './annex-b.ts'
import { BitReader } from './bit-reader.ts'
import { findSps } from './parameter-sets.ts'
import { readSequence, type Sequence } from './sps.ts'

/** Bytes of a slice that hold its order information, with room for emulation prevention. */
const HEAD_BYTES = 40
/** Maximum distance of a frame from its stream position: the frames a decoder can hold (H.264 §A.3.1). */
const KEPT_MAX = 16
/**
 * `slice_type` of a B slice, and the number of slice types: a value higher by that number means that all slices of the
 * frame have the same type (H.264 table 7-6).
 */
const [BI, SLICE_TYPES] = [1, 5]

/** Order information in the header of a frame's first slice (H.264 §7.3.3). */
interface SliceHead {
  readonly idr: boolean
  readonly reference: boolean
  readonly frameNum: number
  /** True for a B slice (bi-predictive): the frame may be presented before a frame that precedes it in the stream. */
  readonly bi: boolean
  /** pic_order_cnt_lsb, or delta_pic_order_cnt[0]. */
  readonly written: number
}

function readSlice(nal: Buffer, { frameNumBits, order, framesOnly, planes }: Sequence): SliceHead {
  const bits = new BitReader(nal.subarray(0, HEAD_BYTES))
  const idr = nalType(nal) === NAL.idr
  bits.unsigned()
  const bi = bits.unsigned() % SLICE_TYPES === BI
  bits.unsigned()
  if (planes) bits.bits(2)
  const frameNum = bits.bits(frameNumBits)
  if (!framesOnly && bits.bit() === 1) bits.bit()
  if (idr) bits.unsigned()
  let written = 0
  if (order.type === 0) written = bits.bits(order.lsbBits)
  if (order.type === 1 && !order.alwaysZero) written = bits.signed()
  return { idr, reference: ((nal[0] ?? 0) & 0x60) !== 0, frameNum, bi, written }
}

/**
 * Computes the picture order count of frames in stream order (H.264 §8.2.1): after an IDR picture, smaller counts are
 * shown first. Ignores memory management operation 5: cameras send an IDR picture instead.
 */
export class PictureOrder {
  private sequence: Sequence | undefined
  private msb = 0
  private lsb = 0
  private frameNum = 0
  private frameNumOffset = 0
  private before: number | undefined
  private bi = false

  /** Returns the picture order count; undefined if it cannot be read. */
  readCount({ nals }: Picture): number | undefined {
    const sps = findSps(nals)
    const slice = nals.find((nal) => nalType(nal) === NAL.slice || nalType(nal) === NAL.idr)
    try {
      if (sps) this.sequence = readSequence(sps)
      if (!slice || !this.sequence) return undefined
      const head = readSlice(slice, this.sequence)
      this.bi = head.bi
      return this.count(head, this.sequence)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  /**
   * Returns true for a B-frame that is presented before its predecessor in the stream; after a loss, other frames may
   * look like one. Call this method for each frame instead of `readCount`.
   */
  stepsBack(picture: Picture): boolean {
    const count = this.readCount(picture)
    const before = picture.keyframe ? undefined : this.before
    this.before = count ?? before
    return this.bi && count !== undefined && before !== undefined && count < before
  }

  private count(slice: SliceHead, { order, frameNumBits }: Sequence): number {
    if (order.type === 0) return this.byLsb(slice, 2 ** order.lsbBits)
    if (slice.idr) this.frameNumOffset = 0
    else if (this.frameNum > slice.frameNum) this.frameNumOffset += 2 ** frameNumBits
    this.frameNum = slice.frameNum
    const frames = this.frameNumOffset + slice.frameNum
    if (order.type === 2) return 2 * frames - (slice.reference ? 0 : 1)
    return byCycle(slice, frames, order)
  }

  /** Computes the count of type 0 (§8.2.1.1). */
  private byLsb({ idr, reference, written }: SliceHead, max: number): number {
    if (idr) this.msb = this.lsb = 0
    const step = written - this.lsb
    let { msb } = this
    if (-step >= max / 2) msb += max
    else if (step > max / 2) msb -= max
    if (reference) {
      this.msb = msb
      this.lsb = written
    }
    return msb + written
  }
}

/** Computes the count of type 1 (§8.2.1.2). */
function byCycle(
  { reference, written }: SliceHead,
  frames: number,
  { offsetForNonRef, offsetsForRef }: Extract<Sequence['order'], { type: 1 }>,
): number {
  const length = offsetsForRef.length
  const before = length === 0 ? 0 : Math.max(0, reference ? frames : frames - 1)
  const sumOffsets = (offsets: readonly number[]) => offsets.reduce((sum, offset) => sum + offset, 0)
  const cycles = before === 0 ? 0 : Math.floor((before - 1) / length)
  const expected =
    before === 0
      ? 0
      : cycles * sumOffsets(offsetsForRef) + sumOffsets(offsetsForRef.slice(0, ((before - 1) % length) + 1))
  return expected + (reference ? 0 : offsetForNonRef) + written
}

/**
 * Returns the presentation rank of each frame in stream order; the first must be a keyframe. Ranks are computed per
 * GOP; an impossible order, for example after losses, falls back to stream order.
 */
export function shownOrder(pictures: readonly Picture[]): number[] {
  const order = new PictureOrder()
  const counts = pictures.map((picture) => order.readCount(picture))
  const starts = pictures.flatMap((picture, i) => (picture.keyframe || i === 0 ? [i] : []))
  return starts.flatMap((from, i) => ranks(counts.slice(from, starts[i + 1])).map((rank) => from + rank))
}

function ranks(counts: readonly (number | undefined)[]): number[] {
  const asTheyCame = counts.map((_, i) => i)
  if (counts.includes(undefined)) return asTheyCame
  const presentationOrder = asTheyCame.toSorted((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0))
  const places: number[] = []
  for (const [rank, i] of presentationOrder.entries()) places[i] = rank
  return places.every((rank, i) => Math.abs(rank - i) <= KEPT_MAX) ? places : asTheyCame
}
