import { READ_BYTES_MAX } from '../../limits.ts'
import type { AudioPacket } from '../audio/audio-clock.ts'

/** One frame of an H.264 stream. */
export interface AccessUnit {
  /** NAL units without start codes, in stream order and without access unit delimiters. */
  readonly nals: readonly Buffer[]
  readonly keyframe: boolean
  /** Timestamp, ms UTC, fractions allowed. For an RTSP camera, it is the arrival time of the frame. */
  readonly pts: number
  /** Audio that arrived between the previous frame and this frame, if audio is recorded. */
  readonly sound?: readonly AudioPacket[]
}

/** Maximum number of NAL units per frame. `FrameAssembler` rejects a frame with more NAL units. */
const NALS_MAX = 8192

export const NAL_TYPE = { slice: 1, idr: 5, sei: 6, sps: 7, pps: 8, delimiter: 9 } as const

export function getNalType(nal: Buffer): number {
  return (nal[0] ?? 0) & 31
}

const START_CODE = Buffer.from([0, 0, 0, 1])

export function toAnnexB(nals: readonly Buffer[]): Buffer {
  return Buffer.concat(nals.flatMap((nal) => [START_CODE, nal]))
}

/** Returns the index of the next `00 00 01` from `from`; -1 if there is none. */
function findStartCode(data: Buffer, from: number): number {
  for (let i = data.indexOf(1, from + 2); i !== -1; i = data.indexOf(1, i + 1)) {
    if (data[i - 1] === 0 && data[i - 2] === 0) return i - 2
  }
  return -1
}

/** Splits a complete Annex B stream into NAL units. They share memory with `stream`. */
export function splitNals(stream: Buffer): Buffer[] {
  const nals: Buffer[] = []
  let start = findStartCode(stream, 0)
  while (start !== -1) {
    const next = findStartCode(stream, start + 3)
    const nal = trimZeros(stream.subarray(start + 3, next === -1 ? stream.length : next))
    if (nal.length > 0) nals.push(nal)
    start = next
  }
  return nals
}

/**
 * Removes zero bytes after a NAL unit, which belong to the next start code (H.264 annex B.1: `trailing_zero_8bits`).
 */
function trimZeros(nal: Buffer): Buffer {
  let end = nal.length
  while (end > 0 && nal[end - 1] === 0) end--
  return end === nal.length ? nal : nal.subarray(0, end)
}

/** Returns true if this NAL unit starts a new frame, given that the previous frame already has a slice. */
function startsFrame(nal: Buffer): boolean {
  const type = getNalType(nal)
  if (type === NAL_TYPE.slice || type === NAL_TYPE.idr) return ((nal[1] ?? 0) & 0x80) !== 0
  return type >= NAL_TYPE.sei && type <= NAL_TYPE.delimiter
}

export type EncodedFrame = Omit<AccessUnit, 'pts' | 'sound'>

/** Groups non-empty NAL units into frames (H.264 §7.4.1.2.3). Each field of interlaced video becomes its own frame. */
export class FrameAssembler {
  #nals: Buffer[] = []
  #bytes = 0
  #hasSlice = false
  #keyframe = false

  /**
   * Adds a NAL unit. Returns the previous frame if the NAL unit starts a new frame. Throws RangeError if a frame is too
   * large.
   */
  push(nal: Buffer): EncodedFrame | undefined {
    const frame = this.#hasSlice && startsFrame(nal) ? this.flush() : undefined
    this.#bytes += nal.length
    if (this.#nals.length >= NALS_MAX || this.#bytes > READ_BYTES_MAX.picture)
      throw new RangeError('a frame is too large')
    const type = getNalType(nal)
    if (type === NAL_TYPE.slice || type === NAL_TYPE.idr) this.#hasSlice = true
    if (type === NAL_TYPE.idr) this.#keyframe = true
    if (type !== NAL_TYPE.delimiter) this.#nals.push(nal)
    return frame
  }

  /** Returns the collected frame; undefined if it has no slice, because its NAL units then belong to the next frame. */
  flush(): EncodedFrame | undefined {
    if (!this.#hasSlice) return undefined
    const frame = { nals: this.#nals, keyframe: this.#keyframe }
    this.#nals = []
    this.#bytes = 0
    this.#hasSlice = false
    this.#keyframe = false
    return frame
  }
}

export function splitFrames(stream: Buffer): EncodedFrame[] {
  const assembler = new FrameAssembler()
  const frames: EncodedFrame[] = []
  for (const nal of splitNals(stream)) {
    const done = assembler.push(nal)
    if (done) frames.push(done)
  }
  const last = assembler.flush()
  if (last) frames.push(last)
  return frames
}
