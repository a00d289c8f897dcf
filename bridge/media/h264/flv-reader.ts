import { READ_MAX } from '../../limits.ts'
import { ChunkBuffer } from '../../pieces.ts'
import { PictureAssembler, type Picture } from './annex-b.ts'

/** Sizes in bytes (Adobe Flash Video File Format Specification 10.1, §E.2 to E.4). */
const HEADER = 9
const TAG_HEADER = 11
const SIZE_BEFORE = 4
const VIDEO_HEADER = 5
const VIDEO_TAG = 9
const AVC = 7
const NALUS = 1

/** Arguments that make ffmpeg write live FLV, without the parts that only a file needs. */
export const FLV = [
  '-flush_packets',
  '1',
  '-flvflags',
  'no_duration_filesize+no_metadata+no_sequence_end',
  '-f',
  'flv',
] as const

/**
 * Reads the frames of a live H.264 FLV stream. FLV gives the length of each frame first, so a frame is complete with
 * its last byte; in Annex B its end is known only when the next one starts.
 */
export class FlvReader {
  private pending: Buffer = Buffer.alloc(0)
  private readonly pieces = new ChunkBuffer()
  /** Bytes needed to complete the next tag, as known so far. */
  private needed = HEADER
  private begun = false
  private readonly assembler = new PictureAssembler()

  /** Returns the frames that these bytes complete. Throws RangeError if they are not FLV. */
  push(chunk: Buffer): Picture[] {
    const held = this.pieces.add(chunk, this.needed)
    if (!held) return []
    this.pending = held
    const pictures: Picture[] = []
    if (this.readHeader()) for (let data = this.tag(); data; data = this.tag()) this.readVideoTag(data, pictures)
    this.pieces.replaceWith(this.pending)
    return pictures
  }

  /** Returns true once the header is read. Tags follow, each preceded by the size of the previous one. */
  private readHeader(): boolean {
    if (this.begun || this.pending.length < HEADER) return this.begun
    if (this.pending.toString('latin1', 0, 3) !== 'FLV') throw new RangeError('this is no FLV')
    this.pending = this.pending.subarray(HEADER)
    this.begun = true
    return true
  }

  /** Returns the body of the next tag: empty for a tag that is not video, undefined until the tag is complete. */
  private tag(): Buffer | undefined {
    const begin = SIZE_BEFORE + TAG_HEADER
    this.needed = begin
    if (this.pending.length < begin) return undefined
    const end = begin + this.pending.readUIntBE(SIZE_BEFORE + 1, 3)
    if (end > READ_MAX.picture) throw new RangeError('a picture is too large')
    this.needed = end
    if (this.pending.length < end) return undefined
    const body = this.pending.subarray(begin, this.pending[SIZE_BEFORE] === VIDEO_TAG ? end : begin)
    this.pending = this.pending.subarray(end)
    return body
  }

  private readVideoTag(body: Buffer, pictures: Picture[]): void {
    if (body.length === 0) return
    if (((body[0] ?? 0) & 15) !== AVC) throw new RangeError('this is no H.264')
    if (body[1] !== NALUS) return
    for (let at = VIDEO_HEADER; at + 4 <= body.length;) {
      const end = at + 4 + body.readUInt32BE(at)
      if (end > body.length) throw new RangeError('a NAL unit is longer than its picture')
      const done = end > at + 4 && this.assembler.push(body.subarray(at + 4, end))
      if (done) pictures.push(done)
      at = end
    }
    const last = this.assembler.flush()
    if (last) pictures.push(last)
  }
}
