import type { MotionSample } from './sensitivity-filter.ts'

/** Motion sample with its frame rate mode. `afterBreak`: true if detection was interrupted before this sample. */
export interface TracedSample {
  readonly sample: MotionSample
  readonly keyframesOnly: boolean
  readonly afterBreak: boolean
}

const LEARNING_FLAG = 1
const KEYFRAMES_ONLY_FLAG = 2
const BREAK_FLAG = 4
/** Header bytes: ms since the previous sample (4), brightness (1), flags (1), count (2). */
const HEADER_BYTES = 8
/** Escape byte for a distance between two pixels that does not fit into one byte: the distance follows in two bytes. */
const LONG_STEP_MARKER = 255

/** Encodes a sample: header, distances between pixels, tiers. `previousAt`: time of the previous sample, ms UTC. */
export function encodeSample({ sample, keyframesOnly, afterBreak }: TracedSample, previousAt: number): Buffer {
  const { pixels, tiers } = sample
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + pixels.length * 4)
  bytes.writeUInt32LE(Math.max(0, Math.round(sample.at - previousAt)), 0)
  bytes[4] = sample.brightness
  bytes[5] =
    (sample.learning ? LEARNING_FLAG : 0) | (keyframesOnly ? KEYFRAMES_ONLY_FLAG : 0) | (afterBreak ? BREAK_FLAG : 0)
  bytes.writeUInt16LE(pixels.length, 6)
  let at = HEADER_BYTES
  let last = 0
  for (const pixel of pixels) {
    const step = pixel - last
    last = pixel
    if (step < LONG_STEP_MARKER) bytes[at++] = step
    else {
      bytes[at] = LONG_STEP_MARKER
      at = bytes.writeUInt16LE(step, at + 1)
    }
  }
  bytes.set(tiers, at)
  return bytes.subarray(0, at + tiers.length)
}

/** Decodes the samples of a block in order. `from`: start of the block, ms UTC. */
export function* decodeSamples(bytes: Buffer, from: number): Generator<TracedSample> {
  let time = from
  let at = 0
  while (at < bytes.length) {
    time += bytes.readUInt32LE(at)
    const brightness = bytes.readUInt8(at + 4)
    const flags = bytes.readUInt8(at + 5)
    const pixels = new Uint16Array(bytes.readUInt16LE(at + 6))
    at += HEADER_BYTES
    let last = 0
    for (let i = 0; i < pixels.length; i++) {
      let step = bytes.readUInt8(at++)
      if (step === LONG_STEP_MARKER) {
        step = bytes.readUInt16LE(at)
        at += 2
      }
      pixels[i] = last += step
    }
    const tiers = Uint8Array.from(bytes.subarray(at, at + pixels.length))
    at += pixels.length
    const look: MotionSample = { at: time, brightness, learning: (flags & LEARNING_FLAG) !== 0, pixels, tiers }
    yield { sample: look, keyframesOnly: (flags & KEYFRAMES_ONLY_FLAG) !== 0, afterBreak: (flags & BREAK_FLAG) !== 0 }
  }
}
