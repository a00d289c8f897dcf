import { getNalType, NAL_TYPE, type EncodedFrame } from './annex-b.ts'
import { BitReader } from './bit-reader.ts'
import { findSps } from './parameter-sets.ts'
import { parseSequenceParameters, type SequenceParameters } from './sps.ts'

/** Bytes at the start of a slice that contain its order information, including emulation prevention bytes. */
const SLICE_HEAD_BYTES = 40
/**
 * Maximum distance between a frame's presentation position and its stream position. It equals the number of frames that
 * a decoder can buffer (H.264 §A.3.1).
 */
const MAX_REORDER_DISTANCE = 16
/**
 * `slice_type` of a B slice, and the number of slice types. The values 5 to 9 mean the same types as 0 to 4, and also
 * state that all slices of the frame have the same type (H.264 table 7-6).
 */
const [B_SLICE_TYPE, SLICE_TYPES] = [1, 5]

/** Order information in the header of a frame's first slice (H.264 §7.3.3). */
interface SliceHead {
  readonly idr: boolean
  readonly isReference: boolean
  readonly frameNum: number
  /** True for a B slice (bi-predictive): the frame may be presented before a frame that precedes it in the stream. */
  readonly isBSlice: boolean
  /** `pic_order_cnt_lsb` for count type 0, `delta_pic_order_cnt[0]` for count type 1. */
  readonly codedOrder: number
}

function readSliceHead(
  nal: Buffer,
  { frameNumBits, order, framesOnly, hasSeparatePlanes }: SequenceParameters,
): SliceHead {
  const bits = new BitReader(nal.subarray(0, SLICE_HEAD_BYTES))
  const idr = getNalType(nal) === NAL_TYPE.idr
  bits.readUnsigned()
  const isBSlice = bits.readUnsigned() % SLICE_TYPES === B_SLICE_TYPE
  bits.readUnsigned()
  if (hasSeparatePlanes) bits.readBits(2)
  const frameNum = bits.readBits(frameNumBits)
  if (!framesOnly && bits.readBit() === 1) bits.readBit()
  if (idr) bits.readUnsigned()
  let written = 0
  if (order.type === 0) written = bits.readBits(order.lsbBits)
  if (order.type === 1 && !order.alwaysZero) written = bits.readSigned()
  return { idr, isReference: ((nal[0] ?? 0) & 0x60) !== 0, frameNum, isBSlice: isBSlice, codedOrder: written }
}

/**
 * Computes the picture order count of each frame (H.264 §8.2.1). The caller passes the frames in stream order. Between
 * two IDR pictures, frames with smaller counts are presented first. Ignores memory management operation 5, because
 * cameras send an IDR picture instead.
 */
export class PictureOrder {
  #sequence: SequenceParameters | undefined
  #msb = 0
  #lsb = 0
  #frameNum = 0
  #frameNumOffset = 0
  #previousCount: number | undefined
  #isBSlice = false

  /** Returns the picture order count; undefined if it cannot be read. */
  readCount({ nals }: EncodedFrame): number | undefined {
    const sps = findSps(nals)
    const slice = nals.find((nal) => getNalType(nal) === NAL_TYPE.slice || getNalType(nal) === NAL_TYPE.idr)
    try {
      if (sps) this.#sequence = parseSequenceParameters(sps)
      if (!slice || !this.#sequence) return undefined
      const head = readSliceHead(slice, this.#sequence)
      this.#isBSlice = head.isBSlice
      return this.#computeCount(head, this.#sequence)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  /**
   * Returns true for a B-frame that is presented before its predecessor in the stream. Call this method for every
   * frame, and never also call `readCount`. After packet loss, the result can be wrong.
   */
  isReordered(picture: EncodedFrame): boolean {
    const count = this.readCount(picture)
    const previousCount = picture.keyframe ? undefined : this.#previousCount
    this.#previousCount = count ?? previousCount
    return this.#isBSlice && count !== undefined && previousCount !== undefined && count < previousCount
  }

  #computeCount(slice: SliceHead, { order, frameNumBits }: SequenceParameters): number {
    if (order.type === 0) return this.#computeCountFromLsb(slice, 2 ** order.lsbBits)
    if (slice.idr) this.#frameNumOffset = 0
    else if (this.#frameNum > slice.frameNum) this.#frameNumOffset += 2 ** frameNumBits
    this.#frameNum = slice.frameNum
    const frames = this.#frameNumOffset + slice.frameNum
    if (order.type === 2) return 2 * frames - (slice.isReference ? 0 : 1)
    return computeCountFromCycle(slice, frames, order)
  }

  /** Computes the count of type 0 (§8.2.1.1). */
  #computeCountFromLsb({ idr, isReference, codedOrder }: SliceHead, max: number): number {
    if (idr) this.#msb = this.#lsb = 0
    const step = codedOrder - this.#lsb
    let msb = this.#msb
    if (-step >= max / 2) msb += max
    else if (step > max / 2) msb -= max
    if (isReference) {
      this.#msb = msb
      this.#lsb = codedOrder
    }
    return msb + codedOrder
  }
}

/** Computes the count of type 1 (§8.2.1.2). */
function computeCountFromCycle(
  { isReference, codedOrder }: SliceHead,
  frames: number,
  { offsetForNonRef, offsetsForRef }: Extract<SequenceParameters['order'], { type: 1 }>,
): number {
  const length = offsetsForRef.length
  const cyclePosition = length === 0 ? 0 : Math.max(0, isReference ? frames : frames - 1)
  const sumOffsets = (offsets: readonly number[]) => offsets.reduce((sum, offset) => sum + offset, 0)
  const cycles = cyclePosition === 0 ? 0 : Math.floor((cyclePosition - 1) / length)
  const expected =
    cyclePosition === 0
      ? 0
      : cycles * sumOffsets(offsetsForRef) + sumOffsets(offsetsForRef.slice(0, ((cyclePosition - 1) % length) + 1))
  return expected + (isReference ? 0 : offsetForNonRef) + codedOrder
}

/**
 * Returns the presentation rank of each frame, computed per GOP. The frames are in stream order and start with a
 * keyframe. A GOP with an unreadable or impossible order, for example after packet loss, keeps its stream order.
 */
export function computePresentationOrder(frames: readonly EncodedFrame[]): number[] {
  const order = new PictureOrder()
  const counts = frames.map((picture) => order.readCount(picture))
  const starts = frames.flatMap((picture, i) => (picture.keyframe || i === 0 ? [i] : []))
  return starts.flatMap((from, i) => computeRanks(counts.slice(from, starts[i + 1])).map((rank) => from + rank))
}

function computeRanks(counts: readonly (number | undefined)[]): number[] {
  const streamOrder = counts.map((_, i) => i)
  if (counts.includes(undefined)) return streamOrder
  const presentationOrder = streamOrder.toSorted((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0))
  const rankByIndex: number[] = []
  for (const [rank, i] of presentationOrder.entries()) rankByIndex[i] = rank
  return rankByIndex.every((rank, i) => Math.abs(rank - i) <= MAX_REORDER_DISTANCE) ? rankByIndex : streamOrder
}
