import { READ_BYTES_MAX } from '../../limits.ts'
import { ChunkBuffer } from '../../chunk-buffer.ts'
import { FrameAssembler, type EncodedFrame } from './annex-b.ts'

/** Sizes in bytes, and type ids (Adobe Flash Video File Format Specification 10.1, §E.2 to E.4). */
const FILE_HEADER_BYTES = 9
const TAG_HEADER_BYTES = 11
const PREVIOUS_TAG_SIZE_BYTES = 4
const VIDEO_HEADER_BYTES = 5
const VIDEO_TAG_TYPE = 9
const AVC_CODEC_ID = 7
const NALU_PACKET_TYPE = 1

/** Arguments that make ffmpeg write live FLV, without the parts that only a file needs. */
export const FLV_OUTPUT_ARGS = [
  '-flush_packets',
  '1',
  '-flvflags',
  'no_duration_filesize+no_metadata+no_sequence_end',
  '-f',
  'flv',
] as const

/**
 * Reads the frames of a live H.264 FLV stream. FLV gives the length of each frame in advance, so a frame is complete at
 * its last byte. An Annex B reader must wait for the next frame.
 */
export class FlvReader {
  #pending: Buffer = Buffer.alloc(0)
  readonly #chunks = new ChunkBuffer()
  /** Number of bytes that must be buffered before the reader can continue. */
  #neededBytes = FILE_HEADER_BYTES
  #hasReadHeader = false
  readonly #assembler = new FrameAssembler()

  /**
   * Returns the frames that these bytes complete. Throws RangeError if the bytes are not FLV with H.264 video, or if a
   * frame is too large.
   */
  push(chunk: Buffer): EncodedFrame[] {
    const held = this.#chunks.add(chunk, this.#neededBytes)
    if (!held) return []
    this.#pending = held
    const frames: EncodedFrame[] = []
    if (this.#readHeader())
      for (let data = this.#readTag(); data; data = this.#readTag()) this.#readVideoTag(data, frames)
    this.#chunks.replaceWith(this.#pending)
    return frames
  }

  /**
   * Reads the file header once. Returns true if the header is complete; then only tags follow, each preceded by the
   * size of the previous tag.
   */
  #readHeader(): boolean {
    if (this.#hasReadHeader || this.#pending.length < FILE_HEADER_BYTES) return this.#hasReadHeader
    if (this.#pending.toString('latin1', 0, 3) !== 'FLV') throw new RangeError("this isn't an FLV stream")
    this.#pending = this.#pending.subarray(FILE_HEADER_BYTES)
    this.#hasReadHeader = true
    return true
  }

  /** Returns the body of the next tag: empty for a tag that is not video, undefined until the tag is complete. */
  #readTag(): Buffer | undefined {
    const begin = PREVIOUS_TAG_SIZE_BYTES + TAG_HEADER_BYTES
    this.#neededBytes = begin
    if (this.#pending.length < begin) return undefined
    const end = begin + this.#pending.readUIntBE(PREVIOUS_TAG_SIZE_BYTES + 1, 3)
    if (end > READ_BYTES_MAX.picture) throw new RangeError('a frame is too large')
    this.#neededBytes = end
    if (this.#pending.length < end) return undefined
    const body = this.#pending.subarray(begin, this.#pending[PREVIOUS_TAG_SIZE_BYTES] === VIDEO_TAG_TYPE ? end : begin)
    this.#pending = this.#pending.subarray(end)
    return body
  }

  #readVideoTag(body: Buffer, frames: EncodedFrame[]): void {
    if (body.length === 0) return
    if (((body[0] ?? 0) & 15) !== AVC_CODEC_ID) throw new RangeError("this isn't H.264")
    if (body[1] !== NALU_PACKET_TYPE) return
    for (let at = VIDEO_HEADER_BYTES; at + 4 <= body.length;) {
      const end = at + 4 + body.readUInt32BE(at)
      if (end > body.length) throw new RangeError('a NAL unit is longer than its frame')
      const done = end > at + 4 && this.#assembler.push(body.subarray(at + 4, end))
      if (done) frames.push(done)
      at = end
    }
    const last = this.#assembler.flush()
    if (last) frames.push(last)
  }
}
