import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { annexB, type Picture } from '../media/h264/annex-b.ts'
import { HEIGHT, WIDTH } from './detection-mask.ts'

const FRAME = WIDTH * HEIGHT
export const MOTION_FPS = 5
/** Maximum bytes that ffmpeg has not read yet; beyond it, frames are dropped until the next keyframe. */
const BEHIND_MAX = 4 * 1024 * 1024
const DELIMITER = Buffer.from([9, 0xf0])

export interface DecoderOptions {
  /**
   * `live` timestamps each frame on arrival. A number is the frame rate of the input, however fast the frames arrive.
   */
  readonly pace: 'live' | number
  /** True to output every input frame, which is used for a stream of keyframes only. */
  readonly all?: boolean
  readonly ffmpeg?: string
  readonly onFrame: (grayFrame: Buffer) => void
  /** Called at most once, when ffmpeg ends without `stop`. */
  readonly onEnd: () => void
}

export class GrayDecoder {
  private readonly child: ChildProcessWithoutNullStreams
  private rest: Buffer = Buffer.alloc(0)
  private skipping = true
  private over = false

  constructor(options: DecoderOptions) {
    this.child = spawn(options.ffmpeg ?? 'ffmpeg', buildFfmpegArguments(options), { stdio: ['pipe', 'pipe', 'pipe'] })
    const end = () => {
      if (this.over) return
      this.over = true
      options.onEnd()
    }
    this.child.on('error', end)
    this.child.on('close', end)
    this.child.stdin.on('error', () => undefined)
    this.child.stderr.resume()
    this.child.stdout.on('data', (data: Buffer) => this.handleOutput(data, options.onFrame))
  }

  push(picture: Picture): void {
    if (this.over) return
    if (this.behind > BEHIND_MAX) this.skipping = true
    else if (picture.keyframe) this.skipping = false
    if (!this.skipping) this.child.stdin.write(annexB([DELIMITER, ...picture.nals]))
  }

  get behind(): number {
    return this.child.stdin.writableLength
  }

  async drained(): Promise<void> {
    await once(this.child.stdin, 'drain')
  }

  /** Ends the input: pending frames are still output, then `onEnd` is called. */
  finish(): void {
    this.child.stdin.end(annexB([DELIMITER]))
  }

  stop(): void {
    this.over = true
    this.child.kill('SIGKILL')
  }

  private handleOutput(data: Buffer, onFrame: (grayFrame: Buffer) => void): void {
    this.rest = this.rest.length === 0 ? data : Buffer.concat([this.rest, data])
    while (this.rest.length >= FRAME) {
      if (!this.over) onFrame(this.rest.subarray(0, FRAME))
      this.rest = this.rest.subarray(FRAME)
    }
  }
}

/**
 * Builds the ffmpeg arguments. Decodes in one thread and without deblocking, which saves a third of the time: the frame
 * is downscaled anyway.
 */
function buildFfmpegArguments({ pace, all }: DecoderOptions): string[] {
  const timing = pace === 'live' ? ['-use_wallclock_as_timestamps', '1'] : ['-framerate', String(pace)]
  const decoding = ['-threads', '1', '-flags', 'low_delay', '-skip_loop_filter', 'all']
  const filter = `${all ? '' : `fps=${MOTION_FPS},`}scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'error', '-probesize', '32', '-analyzeduration', '0'],
    ...[...decoding, ...timing, '-f', 'h264', '-i', 'pipe:0'],
    ...['-vf', filter, ...(all ? ['-vsync', 'passthrough'] : []), '-f', 'rawvideo', '-flush_packets', '1', 'pipe:1'],
  ]
}
