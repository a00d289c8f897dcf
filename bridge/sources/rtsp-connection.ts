import { uptime } from 'node:os'
import { OggReader } from '../media/audio/ogg-reader.ts'
import type { EncodedFrame } from '../media/h264/annex-b.ts'
import { FlvReader } from '../media/h264/flv-reader.ts'
import { parseRtspUrl } from './rtsp-address.ts'
import { RtspProxy } from './rtsp-proxy.ts'
import type { RtspRefusal } from './rtsp-camera-socket.ts'
import { type FfmpegConnection, type RtspProcess, spawnRtspProcess } from './ffmpeg-input.ts'

const MAX_STDERR_CHARS = 8000

/** Interval of the check for process suspension, ms. */
const TICK_MS = 1000
/** Time between two checks, ms, that indicates a suspended process. */
const MIN_SUSPENSION_MS = 8000

/**
 * End of a connection. `closed`: ffmpeg exited, or the camera refused the stream. `silent`: no frame arrived in time.
 * `missing`: ffmpeg is not installed. `garbage`: the data is no video. `unplayable`: browsers cannot play the video.
 * `suspended`: this process was suspended, for example because the computer slept.
 */
export interface ConnectionEnd {
  readonly how: 'closed' | 'silent' | 'missing' | 'garbage' | 'unplayable' | 'suspended'
  readonly stderr: string
  /** SDP of the camera (RFC 4566); undefined until it arrives. */
  readonly description: string | undefined
  /** Refusal that `RtspProxy` reported; undefined if it reported none. */
  readonly refusal: RtspRefusal | undefined
  /** True if the connection delivered playable frames. */
  readonly played: boolean
  /** Duration for which this process was suspended, ms; valid only if `how` is `suspended`. */
  readonly suspendedMs: number
}

export interface RtspConnectionOptions {
  readonly ffmpeg: string
  readonly address: string
  /** Called when the camera's SDP arrives; returns the options for ffmpeg. */
  readonly onDescription: (description: string) => Omit<FfmpegConnection, 'ffmpeg' | 'address'>
  /**
   * Timeout between frames, ms. `firstMs`: longer timeout, which applies first to the SDP and then to the first frame.
   */
  readonly silenceMs: number
  readonly firstMs: number
  /** Returns the system uptime in s, including sleep. Default: `os.uptime`. */
  readonly uptime?: (() => number) | undefined
  /** Called for each frame. Returns true if the frame can be shown. */
  readonly onPicture: (picture: EncodedFrame) => boolean
  readonly onSound: (packet: Buffer) => void
  /** Called once, when the connection ends; never after `stop`. */
  readonly onEnd: (end: ConnectionEnd) => void
}

export class RtspConnection {
  readonly #options: RtspConnectionOptions
  readonly #proxy: RtspProxy
  #process: RtspProcess | undefined
  #description: string | undefined
  #refusal: RtspRefusal | undefined
  #watchdog: NodeJS.Timeout
  readonly #ticker: NodeJS.Timeout
  #lastTickAt: number
  readonly #flvReader = new FlvReader()
  readonly #oggReader = new OggReader()
  #stderr = ''
  #hasFrames = false
  #hasPlayed = false
  #hasEnded = false

  constructor(options: RtspConnectionOptions) {
    this.#options = options
    this.#watchdog = setTimeout(() => this.end('silent'), options.firstMs)
    this.#lastTickAt = this.#getUptime()
    this.#ticker = setInterval(() => this.#tick(), TICK_MS)
    this.#proxy = new RtspProxy(parseRtspUrl(options.address), {
      onDescription: (description, address) => this.#startFfmpeg(description, address),
      onRefused: (refusal) => this.#handleRefusal(refusal),
    })
  }

  get currentState(): Pick<ConnectionEnd, 'stderr' | 'description' | 'refusal' | 'played'> {
    const stderr = this.#stderr
    const description = this.#description
    const refusal = this.#refusal
    const hasPlayed = this.#hasPlayed
    return { stderr, description, refusal, played: hasPlayed }
  }

  #startFfmpeg(description: string, address: string): void {
    if (this.#hasEnded) return
    this.#description = description
    this.#watchdog.refresh()
    const { ffmpeg, onDescription } = this.#options
    this.#process = spawnRtspProcess({ ffmpeg, address, ...onDescription(description) })
    const { child, sound: audioPipe } = this.#process
    child.on('error', (error: NodeJS.ErrnoException) => this.end(error.code === 'ENOENT' ? 'missing' : 'closed'))
    child.on('close', () => this.end('closed'))
    child.stderr.on('data', (data: Buffer) => (this.#stderr = truncateMiddle(this.#stderr + String(data))))
    child.stdout.on('data', (data: Buffer) => this.#handleVideo(data))
    audioPipe.on('data', (data: Buffer) => this.#handleAudio(data))
    audioPipe.on('error', () => undefined)
  }

  stop(): void {
    this.#hasEnded = true
    clearTimeout(this.#watchdog)
    clearInterval(this.#ticker)
    this.#proxy.close()
    this.#process?.child.kill('SIGKILL')
  }

  #handleVideo(data: Buffer): void {
    if (this.#hasEnded) return
    try {
      for (const picture of this.#flvReader.push(data)) {
        if (this.#hasEnded) return
        this.#hasPlayed = this.#options.onPicture(picture) || this.#hasPlayed
        this.#refreshWatchdog()
      }
    } catch {
      this.end('garbage')
    }
  }

  #refreshWatchdog(): void {
    if (this.#hasEnded) return
    if (this.#hasFrames) return void this.#watchdog.refresh()
    this.#hasFrames = true
    clearTimeout(this.#watchdog)
    this.#watchdog = setTimeout(() => this.end('silent'), this.#options.silenceMs)
  }

  #getUptime(): number {
    return (this.#options.uptime ?? uptime)() * 1000
  }

  /** Ends the connection as `suspended` after this process was suspended, because the stream does not resume. */
  #tick(): void {
    if (this.#getUptime() - this.#lastTickAt > MIN_SUSPENSION_MS) return this.end('suspended')
    this.#lastTickAt = this.#getUptime()
  }

  /** Handles audio output of ffmpeg. Ignores audio after unreadable data; the video continues. */
  #handleAudio(data: Buffer): void {
    if (this.#hasEnded) return
    try {
      for (const packet of this.#oggReader.push(data)) this.#options.onSound(packet)
    } catch {
      this.#process?.sound.removeAllListeners('data').resume()
    }
  }

  /**
   * Ends the connection if ffmpeg is not running. A running ffmpeg first delivers its remaining data and then exits.
   */
  #handleRefusal(refusal: RtspRefusal): void {
    this.#refusal = refusal
    if (!this.#process) this.end('closed')
  }

  end(cause: ConnectionEnd['how']): void {
    if (this.#hasEnded) return
    this.stop()
    const suspendedMs = this.#getUptime() - this.#lastTickAt
    const suspended = cause !== 'missing' && suspendedMs > MIN_SUSPENSION_MS
    this.#options.onEnd({ how: suspended ? 'suspended' : cause, ...this.currentState, suspendedMs: suspendedMs })
  }
}

/** Shortens ffmpeg's output: keeps the beginning, which lists the streams, and the end, which contains the error. */
function truncateMiddle(text: string): string {
  return text.length <= MAX_STDERR_CHARS
    ? text
    : `${text.slice(0, MAX_STDERR_CHARS / 2)}\n${text.slice(-MAX_STDERR_CHARS / 2)}`
}
