import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { BackOff } from '../back-off.ts'
import { AnnexBSplitter, type AccessUnit, type Picture } from '../h264/annex-b.ts'
import type { Clock } from '../plan.ts'
import { FFMPEG_MISSING, NO_KEYFRAME, reasonOf, SENDS_H265, SILENT } from './rtsp-reasons.ts'
import { KNOWS_NO_OPTION, spawnRtsp } from './rtsp-process.ts'
import type { Source } from './source.ts'

/** Without a picture for this long ffmpeg is started again. */
const SILENCE_MS = 8000
/** Pictures kept from a keyframe on; beyond this a viewer waits for the next keyframe. */
const GROUP_MAX = 600
const STDERR_KEPT = 8000

export interface RtspOptions {
  readonly url: string
  readonly clock: Clock
  /** Called at every change: a reason while there is no picture, undefined once there is one. */
  readonly onState: (reason: string | undefined) => void
  /** What to do with H.265: decode and encode it, at some cost, or leave it with a sentence. */
  readonly h265?: 'transcode' | 'refuse'
  /** Called when it begins to transcode. */
  readonly onTranscode?: () => void
  readonly ffmpeg?: string
  readonly silenceMs?: number
  readonly backOff?: BackOff
}

/** An RTSP camera, read by ffmpeg without decoding, started again for ever. */
export class RtspSource implements Source {
  private readonly options: RtspOptions
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  private readonly backOff: BackOff
  private units: AccessUnit[] = []
  private child: ChildProcessWithoutNullStreams | undefined
  private timer: NodeJS.Timeout | undefined
  private running = false
  private tcp = true
  private transcode = false
  private live = false
  private startedAt = 0
  private complained = false

  constructor(options: RtspOptions) {
    this.options = options
    this.backOff = options.backOff ?? new BackOff(500, 15_000)
  }

  start(): void {
    if (this.running) return
    this.running = true
    this.run()
  }

  stop(): void {
    this.running = false
    clearTimeout(this.timer)
    this.child?.kill('SIGKILL')
    this.units = []
  }

  group(): readonly AccessUnit[] {
    return this.units
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    return () => this.watchers.delete(onUnit)
  }

  /** A camera at one address has one rendition. */
  setRendition(): void {}

  private run(): void {
    const { tcp, transcode } = this
    const child = spawnRtsp({ ffmpeg: this.options.ffmpeg ?? 'ffmpeg', address: this.options.url, tcp, transcode })
    this.startedAt = performance.now()
    this.complained = false
    const splitter = new AnnexBSplitter()
    let stderr = ''
    let played = false
    let ended = false
    const end = (reason: string) => {
      if (ended) return
      ended = true
      clearTimeout(watchdog)
      child.kill('SIGKILL')
      this.ended(reason)
    }
    const watchdog = setTimeout(
      () => end(played ? SILENT : reasonOf(`${stderr} timed out`, false, transcode)),
      this.options.silenceMs ?? SILENCE_MS,
    )
    this.child = child
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ENOENT' ? FFMPEG_MISSING : reasonOf('', false)),
    )
    child.on('close', () => {
      if (KNOWS_NO_OPTION.test(stderr)) this.tcp = false
      if (!ended && this.beginsToTranscode(stderr, played)) {
        ended = true
        clearTimeout(watchdog)
        return this.running ? this.run() : undefined
      }
      end(reasonOf(stderr, played, transcode))
    })
    child.stderr.on('data', (data: Buffer) => (stderr = (stderr + String(data)).slice(-STDERR_KEPT)))
    child.stdout.on('data', (data: Buffer) => {
      if (ended) return
      try {
        for (const picture of splitter.push(data)) {
          played = this.show(picture) || played
          watchdog.refresh()
        }
      } catch {
        end(reasonOf('invalid data found', false))
      }
    })
  }

  /** It turned out to be H.265, which ffmpeg cannot pass on as it is. */
  private beginsToTranscode(stderr: string, played: boolean): boolean {
    if (played || this.transcode || this.options.h265 === 'refuse' || !SENDS_H265.test(stderr)) return false
    this.transcode = true
    this.options.onTranscode?.()
    return true
  }

  /** Answers whether it can be shown: pictures before the first keyframe cannot. */
  private show(picture: Picture): boolean {
    if (!picture.keyframe && this.units.length === 0) return this.missKeyframe()
    if (picture.keyframe) {
      this.units = []
      this.backOff.reset()
      if (!this.live) this.options.onState(undefined)
      this.live = true
    }
    const unit = { ...picture, pts: this.options.clock.now() }
    this.units.push(unit)
    if (this.units.length > GROUP_MAX) this.units = []
    for (const watcher of this.watchers) watcher(unit)
    return true
  }

  private missKeyframe(): false {
    if (!this.live && !this.complained && performance.now() - this.startedAt > (this.options.silenceMs ?? SILENCE_MS)) {
      this.complained = true
      this.options.onState(NO_KEYFRAME)
    }
    return false
  }

  private ended(reason: string): void {
    this.child = undefined
    this.units = []
    this.live = false
    if (!this.running) return
    this.options.onState(reason)
    this.timer = setTimeout(() => this.run(), this.backOff.next())
  }
}
