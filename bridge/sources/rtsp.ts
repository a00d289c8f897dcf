import { SoundClock } from '../audio/sound-clock.ts'
import { BackOff } from '../back-off.ts'
import type { AccessUnit, Picture } from '../h264/annex-b.ts'
import { newestSets } from '../h264/sps.ts'
import type { Clock } from '../virtual/plan.ts'
import { NO_KEYFRAME, reasonOf, SENDS_H265, SENDS_SOUND, SENDS_VIDEO, SOUND_FAILED } from './rtsp-reasons.ts'
import { KNOWS_NO_OPTION } from './rtsp-process.ts'
import { RtspRun, type RunEnd } from './rtsp-run.ts'
import type { AudioPacket, Pictures, Source } from './source.ts'

/** Without a picture for this long ffmpeg is started again. */
const SILENCE_MS = 8000
/** So many times as long after it was known that its keyframes are rare. */
const PATIENCE = 5
/** Pictures kept from a keyframe on; beyond this a viewer waits for the next keyframe. */
const GROUP_MAX = 600

export interface RtspOptions {
  readonly url: string
  readonly clock: Clock
  /** Called at every change: a reason while there is no picture, undefined once there is one. */
  readonly onState: (reason: string | undefined) => void
  /** What to do with H.265: decode and encode it, at some cost, or leave it with a sentence. */
  readonly h265?: 'transcode' | 'refuse'
  /** Called when it begins to transcode. */
  readonly onTranscode?: () => void
  /** Called when it turns out whether it has sound, and `broken` when it has some that cannot be read. */
  readonly onSound?: (sound: 'heard' | 'none' | 'broken') => void
  /** Its sound is wanted. */
  readonly sound?: boolean
  readonly ffmpeg?: string
  readonly silenceMs?: number
  readonly backOff?: BackOff
}

/** An RTSP camera, read by ffmpeg without decoding its pictures, started again for ever. */
export class RtspSource implements Source {
  private readonly options: RtspOptions
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  private readonly listeners = new Set<(packet: AudioPacket) => void>()
  private readonly backOff: BackOff
  private units: AccessUnit[] = []
  private current: RtspRun | undefined
  private timer: NodeJS.Timeout | undefined
  private running = false
  /** This ffmpeg knows options in a list. */
  private inList = true
  /** The camera keeps its parameter sets for its keyframes, and these are rare. */
  private patient = false
  private transcode = false
  /** Whether the next connection asks for sound: not when the last one showed that there is none, or none that can be read. */
  private asksForSound: boolean
  private sound: 'heard' | 'none' | 'broken' | undefined
  /** The connection before this one failed, perhaps because of its sound. */
  private suspect = false
  private soundClock = new SoundClock()
  private live = false
  private startedAt = 0
  private complained = false

  constructor(options: RtspOptions) {
    this.options = options
    this.backOff = options.backOff ?? new BackOff(500, 15_000)
    this.asksForSound = options.sound ?? false
  }

  start(): void {
    if (this.running) return
    this.running = true
    this.run()
  }

  stop(): void {
    this.running = false
    clearTimeout(this.timer)
    this.current?.stop()
    this.current = undefined
    this.live = false
    this.units = []
  }

  group(): readonly AccessUnit[] {
    return this.units
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    return () => this.watchers.delete(onUnit)
  }

  /** Undefined until sound has come. */
  get watchAudio(): Source['watchAudio'] {
    if (this.sound !== 'heard') return undefined
    return (onPacket) => {
      this.listeners.add(onPacket)
      return () => this.listeners.delete(onPacket)
    }
  }

  /** A camera at one address has one rendition. */
  rendition(): Pictures {
    return this
  }

  private run(): void {
    const { url: address, ffmpeg = 'ffmpeg', silenceMs = SILENCE_MS } = this.options
    const { transcode, patient, inList, asksForSound: sound, suspect: deaf } = this
    this.startedAt = performance.now()
    this.complained = false
    this.soundClock = new SoundClock()
    this.current = new RtspRun({
      ...{ ffmpeg, address, transcode, sound, patient, deaf, options: inList },
      silenceMs: patient ? PATIENCE * silenceMs : silenceMs,
      onPicture: (picture) => this.show(picture),
      onSound: (packet) => this.play(packet),
      onEnd: (end) => this.ended(end),
    })
  }

  /** Answers whether it can be shown: pictures before the first keyframe cannot. */
  private show({ nals, keyframe }: Picture): boolean {
    if (!keyframe && !this.live) return this.missKeyframe()
    if (keyframe) this.units = []
    if (keyframe && !this.live) {
      this.backOff.reset()
      this.live = true
      if (this.suspect) this.soundIs('broken')
      this.options.onState(undefined)
    }
    const unit = { nals: keyframe ? newestSets(nals) : nals, keyframe, pts: this.options.clock.now() }
    if (keyframe || this.units.length > 0) this.units.push(unit)
    if (this.units.length > GROUP_MAX) this.units = []
    for (const watcher of this.watchers) watcher(unit)
    return true
  }

  private missKeyframe(): false {
    if (!this.complained && performance.now() - this.startedAt > (this.options.silenceMs ?? SILENCE_MS)) {
      this.complained = true
      this.options.onState(NO_KEYFRAME)
    }
    return false
  }

  private play(data: Buffer): void {
    const pts = this.soundClock.stamp(this.options.clock.now())
    this.soundIs('heard')
    if (pts !== undefined) for (const listener of this.listeners) listener({ data, pts })
  }

  private soundIs(sound: 'heard' | 'none' | 'broken'): void {
    if (this.sound === sound) return
    this.sound = sound
    this.options.onSound?.(sound)
  }

  private ended(end: RunEnd): void {
    this.units = []
    this.live = false
    if (KNOWS_NO_OPTION.test(end.stderr)) this.inList = false
    const reason = reasonOf(end, this.transcode)
    this.patient = reason === NO_KEYFRAME
    const otherwise = this.learn(end)
    if (!this.running) return
    if (otherwise) return this.run()
    this.options.onState(reason)
    this.timer = setTimeout(() => this.run(), this.backOff.next())
  }

  /** Answers whether the connection failed for what was asked of it, and is worth another try at once. */
  private learn(end: RunEnd): boolean {
    const failed = end.how === 'closed' && !end.played
    const h265 = !this.transcode && SENDS_H265.test(end.stderr)
    const soundFailed = this.learnSound(end.stderr, failed && !h265)
    if (failed && h265 && this.options.h265 !== 'refuse') {
      this.transcode = true
      this.options.onTranscode?.()
      return true
    }
    return failed && soundFailed
  }

  /** Answers whether this connection may have failed (`failed`) because of the sound that was asked for. */
  private learnSound(stderr: string, failed: boolean): boolean {
    if (this.options.sound !== true || !SENDS_VIDEO.test(stderr)) return false
    const asked = this.asksForSound
    const has = this.suspect || SENDS_SOUND.test(stderr)
    this.suspect = asked && has && (failed || SOUND_FAILED.test(stderr))
    this.asksForSound = has && !this.suspect
    if (!has) this.soundIs('none')
    return asked && !this.asksForSound
  }
}
