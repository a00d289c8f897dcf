import { OggReader } from '../audio/ogg.ts'
import { AnnexBSplitter, type Picture } from '../h264/annex-b.ts'
import { type Connection, type RtspProcess, spawnRtsp } from './rtsp-process.ts'

const STDERR_KEPT = 8000

/** How a connection ended: ffmpeg ended, pictures stayed away, ffmpeg is not installed, or what came was no video. */
export interface RunEnd {
  readonly how: 'closed' | 'silent' | 'missing' | 'garbage'
  readonly stderr: string
  /** It had given pictures that can be shown. */
  readonly played: boolean
}

export interface RunOptions extends Connection {
  /** Without a picture for this long it is over. */
  readonly silenceMs: number
  /** Answers whether it can be shown. */
  readonly onPicture: (picture: Picture) => boolean
  readonly onSound: (packet: Buffer) => void
  /** Once, and not after `stop`. */
  readonly onEnd: (end: RunEnd) => void
}

/** One connection to a camera, from its beginning to its end. */
export class RtspRun {
  private readonly options: RunOptions
  private readonly process: RtspProcess
  private readonly watchdog: NodeJS.Timeout
  private readonly splitter = new AnnexBSplitter()
  private readonly ogg = new OggReader()
  private stderr = ''
  private played = false
  private over = false

  constructor(options: RunOptions) {
    this.options = options
    this.process = spawnRtsp(options)
    this.watchdog = setTimeout(() => this.end('silent'), options.silenceMs)
    const { child, sound } = this.process
    child.on('error', (error: NodeJS.ErrnoException) => this.end(error.code === 'ENOENT' ? 'missing' : 'closed'))
    child.on('close', () => this.end('closed'))
    child.stderr.on('data', (data: Buffer) => (this.stderr = keepEnds(this.stderr + String(data))))
    child.stdout.on('data', (data: Buffer) => this.pictures(data))
    sound.on('data', (data: Buffer) => this.sound(data))
    sound.on('error', () => undefined)
  }

  stop(): void {
    this.over = true
    clearTimeout(this.watchdog)
    this.process.child.kill('SIGKILL')
  }

  private pictures(data: Buffer): void {
    if (this.over) return
    try {
      for (const picture of this.splitter.push(data)) {
        this.played = this.options.onPicture(picture) || this.played
        this.watchdog.refresh()
      }
    } catch {
      this.end('garbage')
    }
  }

  /** Sound that cannot be read is left out: the picture goes on. */
  private sound(data: Buffer): void {
    if (this.over) return
    try {
      for (const packet of this.ogg.push(data)) this.options.onSound(packet)
    } catch {
      this.process.sound.removeAllListeners('data').resume()
    }
  }

  private end(how: RunEnd['how']): void {
    if (this.over) return
    this.stop()
    this.options.onEnd({ how, stderr: this.stderr, played: this.played })
  }
}

/** The beginning says what the camera sends, the end why it is over. */
function keepEnds(text: string): string {
  return text.length <= STDERR_KEPT ? text : `${text.slice(0, STDERR_KEPT / 2)}\n${text.slice(-STDERR_KEPT / 2)}`
}
