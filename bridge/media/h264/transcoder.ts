import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { toAnnexB, type EncodedFrame } from './annex-b.ts'
import { FLV_OUTPUT_ARGS, FlvReader } from './flv-reader.ts'

/**
 * ffmpeg arguments for video that every browser can decode and a small computer can encode in real time: one keyframe
 * per second, no B-frames.
 */
export const TRANSCODE_ARGS = [
  '-vf',
  "scale='min(1280,iw)':-2,format=yuv420p",
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-profile:v',
  'baseline',
  '-threads',
  '2',
  '-force_key_frames',
  'expr:gte(t,n_forced)',
  // Passes each frame through once: the frame rate that a camera reports may be wrong.
  '-vsync',
  'passthrough',
  '-crf',
  '26',
  '-maxrate',
  '2M',
  '-bufsize',
  '2M',
  '-bsf:v',
  'dump_extra=freq=keyframe',
]
const INPUT_ARGS = [
  '-hide_banner',
  '-nostats',
  '-loglevel',
  'error',
  '-probesize',
  '32',
  '-analyzeduration',
  '0',
  '-threads',
  '1',
  '-use_wallclock_as_timestamps',
  '1',
  '-f',
  'h264',
  '-i',
  'pipe:0',
]
/** Access unit delimiter: tells ffmpeg that the previous frame is complete. */
const ACCESS_UNIT_DELIMITER = Buffer.from([9, 0xf0])
/** Maximum number of bytes that wait for ffmpeg. Above it, frames are dropped until the next keyframe. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024

interface TranscoderOptions {
  readonly ffmpeg?: string
  readonly onPicture: (picture: EncodedFrame) => void
  /** Called at most once, when ffmpeg ends without `stop`. */
  readonly onEnd: () => void
}

/** Transcodes H.264 frames to baseline H.264 in presentation order. The first frame must be a keyframe. */
export class Transcoder {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #options: TranscoderOptions
  readonly #reader = new FlvReader()
  #isSkipping = false
  #hasEnded = false

  constructor(options: TranscoderOptions) {
    this.#options = options
    this.#child = spawn(options.ffmpeg ?? 'ffmpeg', [...INPUT_ARGS, ...TRANSCODE_ARGS, ...FLV_OUTPUT_ARGS, 'pipe:1'])
    this.#child.on('error', () => this.#handleEnd())
    this.#child.on('close', () => this.#handleEnd())
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.resume()
    this.#child.stdout.on('data', (data: Buffer) => this.#handleOutput(data))
  }

  push(picture: EncodedFrame): void {
    if (this.#child.stdin.writableLength > MAX_UNREAD_BYTES) this.#isSkipping = true
    else if (picture.keyframe) this.#isSkipping = false
    if (!this.#hasEnded && !this.#isSkipping)
      this.#child.stdin.write(toAnnexB([...picture.nals, ACCESS_UNIT_DELIMITER]))
  }

  stop(): void {
    this.#hasEnded = true
    this.#child.kill('SIGKILL')
  }

  #handleOutput(data: Buffer): void {
    if (this.#hasEnded) return
    try {
      for (const picture of this.#reader.push(data)) this.#options.onPicture(picture)
    } catch {
      this.#child.kill('SIGKILL')
      this.#handleEnd()
    }
  }

  #handleEnd(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#options.onEnd()
  }
}
