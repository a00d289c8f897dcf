import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { toAnnexB, type EncodedFrame } from '../media/h264/annex-b.ts'
import { GRAY_HEIGHT, GRAY_WIDTH } from './detection-mask.ts'

const FRAME_BYTES = GRAY_WIDTH * GRAY_HEIGHT
export const MOTION_FPS = 5
/** Maximum number of bytes that wait for ffmpeg. Above it, frames are dropped until the next keyframe. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024
const ACCESS_UNIT_DELIMITER = Buffer.from([9, 0xf0])

export interface GrayDecoderOptions {
  /**
   * `live`: each frame gets its arrival time as timestamp. Number: frame rate of the input, even if frames arrive
   * faster or slower.
   */
  readonly pace: 'live' | number
  /** True to output every input frame, for input that has only keyframes. Otherwise, the output has `MOTION_FPS`. */
  readonly outputsEveryFrame?: boolean
  readonly ffmpeg?: string
  readonly onFrame: (grayFrame: Buffer) => void
  /** Called at most once, when ffmpeg ends without `stop`. */
  readonly onEnd: () => void
}

export class GrayDecoder {
  readonly #child: ChildProcessWithoutNullStreams
  #pendingOutput: Buffer = Buffer.alloc(0)
  #isSkipping = true
  #hasEnded = false

  constructor(options: GrayDecoderOptions) {
    this.#child = spawn(options.ffmpeg ?? 'ffmpeg', buildFfmpegArguments(options), { stdio: ['pipe', 'pipe', 'pipe'] })
    const end = () => {
      if (this.#hasEnded) return
      this.#hasEnded = true
      options.onEnd()
    }
    this.#child.on('error', end)
    this.#child.on('close', end)
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.resume()
    this.#child.stdout.on('data', (data: Buffer) => this.#handleOutput(data, options.onFrame))
  }

  push(picture: EncodedFrame): void {
    if (this.#hasEnded) return
    if (this.unreadBytes > MAX_UNREAD_BYTES) this.#isSkipping = true
    else if (picture.keyframe) this.#isSkipping = false
    if (!this.#isSkipping) this.#child.stdin.write(toAnnexB([ACCESS_UNIT_DELIMITER, ...picture.nals]))
  }

  get unreadBytes(): number {
    return this.#child.stdin.writableLength
  }

  async waitForDrain(): Promise<void> {
    await once(this.#child.stdin, 'drain')
  }

  /** Ends the input: pending frames are still output, then `onEnd` is called. */
  finish(): void {
    this.#child.stdin.end(toAnnexB([ACCESS_UNIT_DELIMITER]))
  }

  stop(): void {
    this.#hasEnded = true
    this.#child.kill('SIGKILL')
  }

  #handleOutput(data: Buffer, onFrame: (grayFrame: Buffer) => void): void {
    this.#pendingOutput = this.#pendingOutput.length === 0 ? data : Buffer.concat([this.#pendingOutput, data])
    while (this.#pendingOutput.length >= FRAME_BYTES) {
      if (!this.#hasEnded) onFrame(this.#pendingOutput.subarray(0, FRAME_BYTES))
      this.#pendingOutput = this.#pendingOutput.subarray(FRAME_BYTES)
    }
  }
}

/**
 * Builds the ffmpeg arguments. Decodes in one thread and without deblocking, which saves a third of the decoding time.
 * The small gray frame does not need deblocking.
 */
function buildFfmpegArguments({ pace, outputsEveryFrame }: GrayDecoderOptions): string[] {
  const timing = pace === 'live' ? ['-use_wallclock_as_timestamps', '1'] : ['-framerate', String(pace)]
  const decoding = ['-threads', '1', '-flags', 'low_delay', '-skip_loop_filter', 'all']
  const filter = `${outputsEveryFrame ? '' : `fps=${MOTION_FPS},`}scale=${GRAY_WIDTH}:${GRAY_HEIGHT}:flags=area,format=gray`
  return [
    '-hide_banner',
    '-nostats',
    '-loglevel',
    'error',
    '-probesize',
    '32',
    '-analyzeduration',
    '0',
    ...decoding,
    ...timing,
    '-f',
    'h264',
    '-i',
    'pipe:0',
    '-vf',
    filter,
    ...(outputsEveryFrame ? ['-vsync', 'passthrough'] : []),
    '-f',
    'rawvideo',
    '-flush_packets',
    '1',
    'pipe:1',
  ]
}
