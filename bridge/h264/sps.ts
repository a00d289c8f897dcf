import { nalType, NAL, type Picture } from './annex-b.ts'

/** Reads bits of a NAL unit, emulation prevention bytes (`00 00 03`) already removed. */
class BitReader {
  private position = 0
  private readonly data: Buffer

  constructor(data: Buffer) {
    this.data = data
  }

  bit(): number {
    const byte = this.data[this.position >> 3]
    if (byte === undefined) throw new RangeError('the sequence parameter set ends too early')
    const bit = (byte >> (7 - (this.position & 7))) & 1
    this.position++
    return bit
  }

  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bit()
    return value
  }

  /** Unsigned Exp-Golomb (H.264 §9.1). */
  unsigned(): number {
    let zeros = 0
    while (this.bit() === 0) zeros++
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? -value / 2 : (value + 1) / 2
  }
}

function withoutEmulation(nal: Buffer): Buffer {
  const out = Buffer.alloc(nal.length)
  let length = 0
  let zeros = 0
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length++] = byte
  }
  return out.subarray(0, length)
}

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

/** Chroma and scaling lists of the high profiles (H.264 §7.3.2.1.1); answers chroma_format_idc. */
function readHighProfile(bits: BitReader): number {
  const chroma = bits.unsigned()
  if (chroma === 3) bits.bit()
  bits.unsigned()
  bits.unsigned()
  bits.bit()
  if (bits.bit() === 1) {
    for (let i = 0; i < (chroma === 3 ? 12 : 8); i++) {
      if (bits.bit() === 1) skipScalingList(bits, i < 6 ? 16 : 64)
    }
  }
  return chroma
}

function skipScalingList(bits: BitReader, size: number): void {
  let last = 8
  let next = 8
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256
    if (next !== 0) last = next
  }
}

function skipPictureOrder(bits: BitReader): void {
  const kind = bits.unsigned()
  if (kind === 0) bits.unsigned()
  if (kind !== 1) return
  bits.bit()
  bits.signed()
  bits.signed()
  const cycle = bits.unsigned()
  for (let i = 0; i < cycle; i++) bits.signed()
}

/** Width and height in pixels of a sequence parameter set. Throws RangeError when it is cut. */
export function pictureSize(sps: Buffer): { width: number; height: number } {
  const bits = new BitReader(withoutEmulation(sps.subarray(1)))
  const profile = bits.bits(8)
  bits.bits(16)
  bits.unsigned()
  const chroma = HIGH_PROFILES.has(profile) ? readHighProfile(bits) : 1
  bits.unsigned()
  skipPictureOrder(bits)
  bits.unsigned()
  bits.bit()
  const columns = bits.unsigned() + 1
  const rows = bits.unsigned() + 1
  const framesOnly = bits.bit()
  if (framesOnly === 0) bits.bit()
  bits.bit()
  const cropped = bits.bit() === 1
  const [left, right, top, bottom] = cropped
    ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()]
    : [0, 0, 0, 0]
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1
  const cropY = (chroma === 1 ? 2 : 1) * (2 - framesOnly)
  return {
    width: columns * 16 - (left + right) * cropX,
    height: rows * 16 * (2 - framesOnly) - (top + bottom) * cropY,
  }
}

/** The number of a parameter set (H.264 §7.3.2.1.1, §7.3.2.2); undefined when it is cut. */
function setNumber(nal: Buffer): number | undefined {
  const bits = new BitReader(withoutEmulation(nal.subarray(1)))
  try {
    if (nalType(nal) === NAL.sps) bits.bits(24)
    return bits.unsigned()
  } catch {
    return undefined
  }
}

/**
 * Of each parameter set the last one: what counts for this picture. A camera that changes them in the middle has the old
 * ones, which ffmpeg repeats, before the new.
 */
export function newestSets(nals: readonly Buffer[]): readonly Buffer[] {
  const isSet = (nal: Buffer) => nalType(nal) === NAL.sps || nalType(nal) === NAL.pps
  const sets = nals.filter(isSet)
  if (sets.length <= 2) return nals
  const newest = new Map(sets.map((nal) => [`${nalType(nal)} ${setNumber(nal)}`, nal]))
  const kept = new Set(newest.values())
  return nals.filter((nal) => !isSet(nal) || kept.has(nal))
}

/** Lines of a picture that holds its parameter set; undefined when it does not. */
export function heightOf(picture: Picture | undefined): number | undefined {
  const sps = picture?.nals.find((nal) => nalType(nal) === NAL.sps)
  try {
    return sps && pictureSize(sps).height
  } catch {
    return undefined
  }
}
