import { uptime } from 'node:os'
import { OggReader } from '../media/audio/ogg-reader.ts'
import type { Picture } from '../media/h264/annex-b.ts'
import { FlvReader } from '../media/h264/flv-reader.ts'
import { parseRtspUrl } from './rtsp-address.ts'
import { RtspGate } from './rtsp-gate.ts'
import type { RtspRefusal } from './rtsp-line.ts'
import { type Connection, type RtspProcess, spawnRtsp } from './ffmpeg-input.ts'

const STDERR_KEPT = 8000

/** Interval of the check for process suspension. */
const TICK_MS = 1000
/** A gap between checks longer than this means that the process was suspended. */
const STOOD_MS = 8000

/**
 * End of a connection: ffmpeg exited, frames stopped, ffmpeg is not installed, the data was no video or no playable
 * video, or this computer slept.
 */
export interface RunEnd {
  readonly how: 'closed' | 'silent' | 'missing' | 'garbage' | 'unplayable' | 'suspended'
  readonly stderr: string
  /** SDP of the camera (RFC 4566); undefined until it arrives. */
  readonly description: string | undefined
  /** Reason why the camera delivers no stream; undefined if the camera gave no reason. */
  readonly refusal: RtspRefusal | undefined
  /** True if the connection delivered frames that can be shown. */
  readonly played: boolean
  /** Duration for which this process was suspended, ms. */
  readonly stoodMs: number
}

export interface RtspRunOptions {
  readonly ffmpeg: string
  readonly address: string
  /** Called when the camera's SDP arrives; returns the options for ffmpeg. */
  readonly onDescribed: (description: string) => Omit<Connection, 'ffmpeg' | 'address'>
  /** Timeout between frames. `firstMs` is the longer timeout for the SDP, and then for the first frame. */
  readonly silenceMs: number
  readonly firstMs: number
  /** Returns the system uptime in s, including sleep. Default: the system's. */
  readonly uptime?: (() => number) | undefined
  /** Called for each frame. Returns true if the frame can be shown. */
  readonly onPicture: (picture: Picture) => boolean
  readonly onSound: (packet: Buffer) => void
  /** Called once, when the connection ends; never after `stop`. */
  readonly onEnd: (end: RunEnd) => void
}

export class RtspRun {
  private readonly options: RtspRunOptions
  private readonly gate: RtspGate
  private process: RtspProcess | undefined
  private description: string | undefined
  private refusal: RtspRefusal | undefined
  private watchdog: NodeJS.Timeout
  private readonly ticker: NodeJS.Timeout
  private tickedAt: number
  private readonly reader = new FlvReader()
  private readonly ogg = new OggReader()
  private stderr = ''
  private hasPictures = false
  private played = false
  private over = false

  constructor(options: RtspRunOptions) {
    this.options = options
    this.watchdog = setTimeout(() => this.end('silent'), options.firstMs)
    this.tickedAt = this.uptime()
    this.ticker = setInterval(() => this.tick(), TICK_MS)
    this.gate = new RtspGate(parseRtspUrl(options.address), {
      described: (description, address) => this.play(description, address),
      refused: (refusal) => this.handleRefusal(refusal),
    })
  }

  get known(): Pick<RunEnd, 'stderr' | 'description' | 'refusal' | 'played'> {
    const { stderr, description, refusal, played } = this
    return { stderr, description, refusal, played }
  }

  private play(description: string, address: string): void {
    if (this.over) return
    this.description = description
    this.watchdog.refresh()
    const { ffmpeg, onDescribed } = this.options
    this.process = spawnRtsp({ ffmpeg, address, ...onDescribed(description) })
    const { child, sound } = this.process
    child.on('error', (error: NodeJS.ErrnoException) => this.end(error.code === 'ENOENT' ? 'missing' : 'closed'))
    child.on('close', () => this.end('closed'))
    child.stderr.on('data', (data: Buffer) => (this.stderr = truncateMiddle(this.stderr + String(data))))
    child.stdout.on('data', (data: Buffer) => this.pictures(data))
    sound.on('data', (data: Buffer) => this.sound(data))
    sound.on('error', () => undefined)
  }

  stop(): void {
    this.over = true
    clearTimeout(this.watchdog)
    clearInterval(this.ticker)
    this.gate.close()
    this.process?.child.kill('SIGKILL')
  }

  private pictures(data: Buffer): void {
    if (this.over) return
    try {
      for (const picture of this.reader.push(data)) {
        if (this.over) return
        this.played = this.options.onPicture(picture) || this.played
        this.refreshWatchdog()
      }
    } catch {
      this.end('garbage')
    }
  }

  private refreshWatchdog(): void {
    if (this.over) return
    if (this.hasPictures) return void this.watchdog.refresh()
    this.hasPictures = true
    clearTimeout(this.watchdog)
    this.watchdog = setTimeout(() => this.end('silent'), this.options.silenceMs)
  }

  private uptime(): number {
    return (this.options.uptime ?? uptime)() * 1000
  }

  /** Ends the connection after a suspension: the camera is not at fault for the gap, and its stream does not resume. */
  private tick(): void {
    if (this.uptime() - this.tickedAt > STOOD_MS) return this.end('suspended')
    this.tickedAt = this.uptime()
  }

  /** Unreadable audio is dropped; the video continues. */
  private sound(data: Buffer): void {
    if (this.over) return
    try {
      for (const packet of this.ogg.push(data)) this.options.onSound(packet)
    } catch {
      this.process?.sound.removeAllListeners('data').resume()
    }
  }

  /**
   * Ends the connection immediately if ffmpeg is not running. Otherwise it ends when ffmpeg has passed on the remaining
   * data and exits.
   */
  private handleRefusal(refusal: RtspRefusal): void {
    this.refusal = refusal
    if (!this.process) this.end('closed')
  }

  end(how: RunEnd['how']): void {
    if (this.over) return
    this.stop()
    const stoodMs = this.uptime() - this.tickedAt
    const suspended = how !== 'missing' && stoodMs > STOOD_MS
    this.options.onEnd({ how: suspended ? 'suspended' : how, ...this.known, stoodMs })
  }
}

/** Shortens ffmpeg's output: keeps the beginning, which lists the streams, and the end, which contains the error. */
function truncateMiddle(text: string): string {
  return text.length <= STDERR_KEPT ? text : `${text.slice(0, STDERR_KEPT / 2)}\n${text.slice(-STDERR_KEPT / 2)}`
}
