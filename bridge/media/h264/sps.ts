import type { EncodedFrame } from './annex-b.ts'
import { BitReader } from './bit-reader.ts'
import { findSps } from './parameter-sets.ts'

/** Maximum macroblocks per side of a frame: √(8 × 139,264) at level 6.2, the highest level (H.264 §A.3.1). */
const MAX_MACROBLOCKS_PER_SIDE = 1055

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

/** Reads chroma format and scaling lists of the high profiles (H.264 §7.3.2.1.1). */
function readHighProfile(bits: BitReader): { chroma: number; planes: boolean } {
  const chromaFormat = bits.readUnsigned(3)
  const hasSeparatePlanes = chromaFormat === 3 && bits.readBit() === 1
  bits.readUnsigned()
  bits.readUnsigned()
  bits.readBit()
  if (bits.readBit() === 1) {
    for (let i = 0; i < (chromaFormat === 3 ? 12 : 8); i++) {
      if (bits.readBit() === 1) skipScalingList(bits, i < 6 ? 16 : 64)
    }
  }
  return { chroma: chromaFormat, planes: hasSeparatePlanes }
}

function skipScalingList(bits: BitReader, size: number): void {
  let last = 8
  let next = 8
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + bits.readSigned() + 256) % 256
    if (next !== 0) last = next
  }
}

/** Order syntax (H.264 §7.3.2.1.1): pic_order_cnt_type and its fields. */
type OrderSyntax =
  | { readonly type: 0; readonly lsbBits: number }
  | {
      readonly type: 1
      /** True if slices contain no picture order delta (`delta_pic_order_always_zero_flag`). */
      readonly alwaysZero: boolean
      readonly offsetForNonRef: number
      readonly offsetsForRef: readonly number[]
    }
  | { readonly type: 2 }

function readOrderSyntax(bits: BitReader): OrderSyntax {
  const type = bits.readUnsigned(2)
  if (type === 0) return { type, lsbBits: bits.readUnsigned(12) + 4 }
  if (type === 2) return { type }
  const alwaysZero = bits.readBit() === 1
  const offsetForNonRef = bits.readSigned()
  bits.readSigned()
  const offsetsForRef = Array.from({ length: bits.readUnsigned(255) }, () => bits.readSigned())
  return { type: 1, alwaysZero, offsetForNonRef, offsetsForRef }
}

export interface SequenceParameters {
  readonly width: number
  readonly height: number
  readonly frameNumBits: number
  readonly order: OrderSyntax
  readonly framesOnly: boolean
  /** True if each slice header contains the id of its color plane (`separate_colour_plane_flag`). */
  readonly hasSeparatePlanes: boolean
}

/**
 * Reads a sequence parameter set (H.264 §7.3.2.1.1). Throws RangeError if it is truncated or contains invalid values.
 */
export function parseSequenceParameters(sps: Buffer): SequenceParameters {
  const bits = new BitReader(sps)
  const profile = bits.readBits(8)
  bits.readBits(16)
  bits.readUnsigned(31)
  const { chroma, planes } = HIGH_PROFILES.has(profile) ? readHighProfile(bits) : { chroma: 1, planes: false }
  const frameNumBits = bits.readUnsigned(12) + 4
  const order = readOrderSyntax(bits)
  bits.readUnsigned()
  bits.readBit()
  return { frameNumBits, order, hasSeparatePlanes: planes, ...readSize(bits, chroma) }
}

function readSize(bits: BitReader, chroma: number): Pick<SequenceParameters, 'width' | 'height' | 'framesOnly'> {
  const columns = bits.readUnsigned(MAX_MACROBLOCKS_PER_SIDE - 1) + 1
  const rows = bits.readUnsigned(MAX_MACROBLOCKS_PER_SIDE - 1) + 1
  const framesOnly = bits.readBit() === 1
  const fields = framesOnly ? 1 : 2
  if (!framesOnly) bits.readBit()
  bits.readBit()
  const cropped = bits.readBit() === 1
  const [left, right, top, bottom] = cropped
    ? [bits.readUnsigned(), bits.readUnsigned(), bits.readUnsigned(), bits.readUnsigned()]
    : [0, 0, 0, 0]
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1
  const cropY = (chroma === 1 ? 2 : 1) * fields
  const width = columns * 16 - (left + right) * cropX
  const height = rows * 16 * fields - (top + bottom) * cropY
  if (width <= 0 || height <= 0) throw new RangeError('the picture size is zero or negative')
  return { width, height, framesOnly }
}

/** Returns width and height in pixels. Throws RangeError if the parameter set is truncated or invalid. */
export function readFrameSize(sps: Buffer): { width: number; height: number } {
  const { width, height } = parseSequenceParameters(sps)
  return { width, height }
}

/** Like `readFrameSize`, but returns undefined instead of throwing. */
export function tryReadFrameSize(sps: Buffer): { width: number; height: number } | undefined {
  try {
    return readFrameSize(sps)
  } catch {
    return undefined
  }
}

/** Returns the height of a frame in pixels; undefined if the frame contains no valid SPS. */
export function readFrameHeight(picture: EncodedFrame | undefined): number | undefined {
  const sps = picture && findSps(picture.nals)
  return sps && tryReadFrameSize(sps)?.height
}
