/** Maximum leading zeros of an Exp-Golomb code in H.264 (§9.1: values up to 2^32 - 2). */
const MAX_LEADING_ZEROS = 31

/**
 * Reads the bits of a NAL unit without its header byte. Every method throws RangeError at the end of the bits or on
 * invalid data.
 */
export class BitReader {
  #position = 0
  readonly #data: Buffer

  /** `nal`: a NAL unit that still contains its header byte and emulation prevention bytes. */
  constructor(nal: Buffer) {
    this.#data = removeEmulationPrevention(nal.subarray(1))
  }

  readBit(): number {
    const byte = this.#data[this.#position >> 3]
    if (byte === undefined) throw new RangeError('the NAL unit ends too early')
    const bit = (byte >> (7 - (this.#position & 7))) & 1
    this.#position++
    return bit
  }

  /** Reads an unsigned number of `count` bits, most significant bit first. */
  readBits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 2 + this.readBit()
    return value
  }

  /** Reads an unsigned Exp-Golomb code (H.264 §9.1) of at most `max`. */
  readUnsigned(max = 2 ** 32 - 2): number {
    let zeros = 0
    while (this.readBit() === 0) if (++zeros > MAX_LEADING_ZEROS) throw new RangeError('an Exp-Golomb code is too long')
    const value = 2 ** zeros - 1 + this.readBits(zeros)
    if (value > max) throw new RangeError('a value is out of range')
    return value
  }

  /** Reads a signed Exp-Golomb code (H.264 §9.1.1). */
  readSigned(): number {
    const value = this.readUnsigned()
    return value % 2 === 0 ? -value / 2 : (value + 1) / 2
  }
}

/** Removes emulation prevention bytes: the `03` in each `00 00 03` (H.264 §7.4.1). */
function removeEmulationPrevention(data: Buffer): Buffer {
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
