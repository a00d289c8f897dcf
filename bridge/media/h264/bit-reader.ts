/** Maximum leading zeros of an Exp-Golomb code in H.264 (§9.1: values up to 2^32 - 2). */
const ZEROS_MAX = 31

/**
 * Reads the bits of a NAL unit without its header byte. Every method throws RangeError at the end of the bits or on
 * invalid data.
 */
export class BitReader {
  private position = 0
  private readonly data: Buffer

  /** `nal`: a NAL unit that still contains its header byte and emulation prevention bytes. */
  constructor(nal: Buffer) {
    this.data = withoutEmulation(nal.subarray(1))
  }

  bit(): number {
    const byte = this.data[this.position >> 3]
    if (byte === undefined) throw new RangeError('the NAL unit ends too early')
    const bit = (byte >> (7 - (this.position & 7))) & 1
    this.position++
    return bit
  }

  /** Reads at most 32 bits. */
  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.bit()
    return value
  }

  /** Reads an unsigned Exp-Golomb code (H.264 §9.1) of at most `max`. */
  unsigned(max = 2 ** 32 - 2): number {
    let zeros = 0
    while (this.bit() === 0) if (++zeros > ZEROS_MAX) throw new RangeError('an Exp-Golomb code is too long')
    const value = 2 ** zeros - 1 + this.bits(zeros)
    if (value > max) throw new RangeError('a value is out of its range')
    return value
  }

  /** Reads a signed Exp-Golomb code (H.264 §9.1.1). */
  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? -value / 2 : (value + 1) / 2
  }
}

/** Removes emulation prevention bytes: the `03` in each `00 00 03` (H.264 §7.4.1). */
function withoutEmulation(data: Buffer): Buffer {
  const out = Buffer.alloc(data.length)
  let length = 0
  let zeros = 0
  for (const byte of data) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out[length++] = byte
  }
  return out.subarray(0, length)
}
