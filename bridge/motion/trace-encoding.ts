import type { MotionSample } from './sensitivity-filter.ts'

/** Motion sample with its frame rate mode. `afterBreak`: true if a running event had to end before this sample. */
export interface TracedLook {
  readonly look: MotionSample
  readonly keyframesOnly: boolean
  readonly afterBreak: boolean
}

const LEARNING = 1
const KEYFRAMES = 2
const BREAK = 4
/** Header bytes: ms since the previous sample (4), brightness (1), flags (1), count (2). */
const HEAD = 8
/** Escape byte for a distance between two pixels that does not fit into one byte: the distance follows in two bytes. */
const FAR = 255

/** Encodes a sample: header, steps from pixel to pixel, tiers. `before`: time of the previous sample, ms UTC. */
export function writeLook({ look, keyframesOnly, afterBreak }: TracedLook, before: number): Buffer {
  const { pixels, tiers } = look
  const bytes = Buffer.allocUnsafe(HEAD + pixels.length * 4)
  bytes.writeUInt32LE(Math.max(0, Math.round(look.at - before)), 0)
  bytes[4] = look.brightness
  bytes[5] = (look.learning ? LEARNING : 0) | (keyframesOnly ? KEYFRAMES : 0) | (afterBreak ? BREAK : 0)
  bytes.writeUInt16LE(pixels.length, 6)
  let at = HEAD
  let last = 0
  for (const pixel of pixels) {
    const step = pixel - last
    last = pixel
    if (step < FAR) bytes[at++] = step
    else {
      bytes[at] = FAR
      at = bytes.writeUInt16LE(step, at + 1)
    }
  }
  bytes.set(tiers, at)
  return bytes.subarray(0, at + tiers.length)
}

/** Decodes the samples of a block in order. `from`: time from which the first sample's offset counts, ms UTC. */
export function* readLooks(bytes: Buffer, from: number): Generator<TracedLook> {
  let time = from
  let at = 0
  while (at < bytes.length) {
    time += bytes.readUInt32LE(at)
    const brightness = bytes.readUInt8(at + 4)
    const flags = bytes.readUInt8(at + 5)
    const pixels = new Uint16Array(bytes.readUInt16LE(at + 6))
    at += HEAD
    let last = 0
    for (let i = 0; i < pixels.length; i++) {
      let step = bytes.readUInt8(at++)
      if (step === FAR) {
        step = bytes.readUInt16LE(at)
        at += 2
      }
      pixels[i] = last += step
    }
    const tiers = Uint8Array.from(bytes.subarray(at, at + pixels.length))
    at += pixels.length
    const look: MotionSample = { at: time, brightness, learning: (flags & LEARNING) !== 0, pixels, tiers }
    yield { look, keyframesOnly: (flags & KEYFRAMES) !== 0, afterBreak: (flags & BREAK) !== 0 }
  }
}
