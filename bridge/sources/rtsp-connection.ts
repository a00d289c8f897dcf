import { uptime } from 'node:os'
import { OggReader } from '../media/audio/ogg-reader.ts'
import type { Picture } from '../media/h264/annex-b.ts'
import { FlvReader } from '../media/h264/flv-reader.ts'
import { parseRtspUrl } from './rtsp-address.ts'
import { RtspGate } from './rtsp-gate.ts'
import type { RtspRefusal } from './rtsp-line.ts'
import { type Connection, type RtspProcess, spawnRtsp } from './ffmpeg-input.ts'

const STDERR_KEPT = 8000

/** How often it is looked whether this process still runs, ms. */
const TICK_MS = 1000
/** It slept or stood still when it did not look for this long, ms. */
const STOOD_MS = 8000

/**
 * How a connection ended: ffmpeg ended, pictures stayed away, ffmpeg is not installed, what came was no video or none that
 * browsers play, or this computer slept.
 */
export interface RunEnd {
  readonly how: 'closed' | 'silent' | 'missing' | 'garbage' | 'unplayable' | 'suspended'
  readonly stderr: string
  /** Description of the camera (RFC 4566); undefined before it has come. */
  readonly description: string | undefined
  /** Why the camera gives no stream; undefined: it has not said it. */
  readonly refusal: RtspRefusal | undefined
  /** It had given pictures that can be shown. */
  readonly played: boolean
  /** How long this process has stood still, ms. */
  readonly stoodMs: number
}

export interface RunOptions {
  readonly ffmpeg: string
  /** The address of the camera. */
  readonly address: string
  /** Called with what the camera describes; answers how ffmpeg shall read it. */
  readonly onDescribed: (description: string) => Omit<Connection, 'ffmpeg' | 'address'>
  /** A run without a picture ends after this time; the description and then the first picture may take longer. */
  readonly silenceMs: number
  readonly firstMs: number
  /** What the clock says that goes on while the computer sleeps, s; left out: the system's. */
  readonly uptime?: (() => number) | undefined
  /** Answers whether it can be shown. */
  readonly onPicture: (picture: Picture) => boolean
  readonly onSound: (packet: Buffer) => void
  /** Once, and not after `stop`. */
  readonly onEnd: (end: RunEnd) => void
}

/** One connection to a camera, from its beginning to its end. */
export class RtspRun {
  private readonly options: RunOptions
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

  constructor(options: RunOptions) {
    this.options = options
    this.watchdog = setTimeout(() => this.end('silent'), options.firstMs)
    this.tickedAt = this.uptime()
    this.ticker = setInterval(() => this.tick(), TICK_MS)
    this.gate = new RtspGate(parseRtspUrl(options.address), {
      described: (description, address) => this.play(description, address),
      refused: (refusal) => this.handleRefusal(refusal),
    })
  }

  /** Facts about the connection so far. */
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

  /** A camera is not to blame for what it did while this process stood still; nor does its stream go on from there. */
  private tick(): void {
    if (this.uptime() - this.tickedAt > STOOD_MS) return this.end('suspended')
    this.tickedAt = this.uptime()
  }

  /** Sound that cannot be read is left out: the picture goes on. */
  private sound(data: Buffer): void {
    if (this.over) return
    try {
      for (const packet of this.ogg.push(data)) this.options.onSound(packet)
    } catch {
      this.process?.sound.removeAllListeners('data').resume()
    }
  }

  /** ffmpeg has what came before, and ends when it has passed it on. */
  private handleRefusal(refusal: RtspRefusal): void {
    this.refusal = refusal
    if (!this.process) this.end('closed')
  }

  /** Ends it from outside or inside, with its reason. */
  end(how: RunEnd['how']): void {
    if (this.over) return
    this.stop()
    const stoodMs = this.uptime() - this.tickedAt
    const suspended = how !== 'missing' && stoodMs > STOOD_MS
    this.options.onEnd({ how: suspended ? 'suspended' : how, ...this.known, stoodMs })
  }
}

/** The beginning says what the camera sends, the end why it is over. */
function truncateMiddle(text: string): string {
  return text.length <= STDERR_KEPT ? text : `${text.slice(0, STDERR_KEPT / 2)}\n${text.slice(-STDERR_KEPT / 2)}`
}
