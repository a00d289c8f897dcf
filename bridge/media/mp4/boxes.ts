/** Builders of ISO base media boxes (ISO/IEC 14496-12). All numbers are big-endian. */

export function createBox(type: string, ...parts: readonly Buffer[]): Buffer {
  let size = 8
  for (const part of parts) size += part.length
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts], size)
}

export function createFullBox(type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer {
  return createBox(type, u32((version << 24) | flags), ...parts)
}

export function u32(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => out.writeUInt32BE(value >>> 0, i * 4))
  return out
}

export function u16(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 2)
  values.forEach((value, i) => out.writeUInt16BE(value, i * 2))
  return out
}

export const UNITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

/**
 * Returns a copy of an MP4 file with `bytes` at the end of its media data. Players ignore these bytes, because no sample
 * refers to them. Returns null if the file does not end with an `mdat` box.
 */
export function appendToMediaData(file: Buffer, bytes: Buffer): Buffer | null {
  for (let at = 0; at + 8 <= file.length;) {
    const size = file.readUInt32BE(at)
    if (size < 8) return null
    if (at + size === file.length && file.toString('latin1', at + 4, at + 8) === 'mdat') {
      const extended = Buffer.concat([file, bytes])
      extended.writeUInt32BE(size + bytes.length, at)
      return extended
    }
    at += size
  }
  return null
}
