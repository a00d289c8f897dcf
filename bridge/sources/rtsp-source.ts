import { SoundClock, type AudioPacket } from '../media/audio/audio-clock.ts'
import { BackOff } from '../runtime/backoff.ts'
import type { AccessUnit, Picture } from '../media/h264/annex-b.ts'
import { newestSets } from '../media/h264/parameter-sets.ts'
import { probeRtsp, probeFailureText } from './rtsp-probe.ts'
import { ConnectQueue } from './connect-queue.ts'
import { isPlayable } from './profiles.ts'
import { askedAgain, RefusedLogins } from './login-backoff.ts'
import { parseRtspUrl } from './rtsp-address.ts'
import { ConnectionHints } from './connection-hints.ts'
import type { RtspOptions } from './rtsp-source-options.ts'
import { NO_KEYFRAME, NOT_YET, type RtspFailure } from './rtsp-errors.ts'
import { RtspRun, type RunEnd } from './rtsp-connection.ts'
import type { LensFrames, Source } from './video-source.ts'

/** Timeout without a frame, after which ffmpeg is restarted. */
const SILENCE_MS = 8000
/** Timeout for the first frame: some cameras need 15 s for their SDP. */
const FIRST_MS = 20_000
/** Factor for the timeouts of a camera whose keyframes are rare. */
const PATIENCE = 5
/** Minimum distance between the timestamps of two frames, ms: several frames may arrive in one chunk. */
const STEP_MS = 1
/** A backward step of the clock by more than this, ms, is a correction. */
const CORRECTED_MS = 1000
/** Maximum number of frames kept since a keyframe; beyond this a viewer waits for the next keyframe. */
const GROUP_MAX = 600
/** Default connect queue and login backoff, shared by all sources of this process. */
const OPENINGS = new ConnectQueue()
const LOGINS = new RefusedLogins()

/** An RTSP camera, read by ffmpeg without decoding and restarted indefinitely. */
export class RtspSource implements Source {
  private readonly options: RtspOptions
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  private readonly listeners = new Set<(packet: AudioPacket) => void>()
  private readonly backOff: BackOff
  private units: AccessUnit[] = []
  private current: RtspRun | undefined
  private cancel: () => void = () => undefined
  /** Releases this source's slot in the connect queue. */
  private begun: () => void = () => undefined
  private running = false
  private readonly learnt: ConnectionHints
  private sound: 'heard' | 'none' | 'broken' | undefined
  private soundClock = new SoundClock()
  private live = false
  private startedAt = 0
  private lastPts = -Infinity
  private missingSince: number | undefined
  private complained = false
  /** Latest reported reason for missing video. */
  private reason: string | undefined

  constructor(options: RtspOptions) {
    this.options = options
    this.backOff = options.backOff ?? new BackOff(500, 15_000)
    this.learnt = new ConnectionHints(options, () => this.soundIs('none'))
  }

  start(): void {
    if (this.running) return
    this.running = true
    this.run()
  }

  stop(): void {
    this.running = false
    this.cancel()
    this.begun()
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

  /** Subscribes to audio; undefined until the first audio arrives. */
  get watchAudio(): Source['watchAudio'] {
    if (this.sound !== 'heard') return undefined
    return (onPacket) => {
      this.listeners.add(onPacket)
      return () => this.listeners.delete(onPacket)
    }
  }

  /** A camera at one address has one rendition. */
  rendition(): LensFrames {
    return this
  }

  /** Connects when the connect queue and the login backoff allow it. */
  private run(): void {
    const { url, openings = OPENINGS, logins = LOGINS } = this.options
    this.begun = openings.enter((leave) => {
      const wait = logins.wait(url, performance.now())
      if (!wait) return this.connect()
      leave()
      this.setReason(`${wait.reason} ${askedAgain(wait.ms)}`)
      this.plan(wait.ms)
    })
  }

  private connect(): void {
    const { url: address, ffmpeg = 'ffmpeg', uptime, silenceMs = SILENCE_MS, firstMs = FIRST_MS, once } = this.options
    const { patient } = this.learnt
    this.startedAt = performance.now()
    this.complained = false
    this.missingSince = undefined
    this.soundClock = new SoundClock()
    const connected = new RtspRun({
      ...{ ffmpeg, address, uptime },
      onDescribed: (description) => this.learnt.wishes(description),
      silenceMs: patient ? PATIENCE * silenceMs : silenceMs,
      firstMs: patient ? Math.max(firstMs, PATIENCE * silenceMs) : firstMs,
      onPicture: (picture) => this.show(picture),
      onSound: (packet) => this.play(packet),
      onEnd: (end) => this.ended(end),
    })
    this.current = connected
    if (this.reason === undefined && !once) this.plan(silenceMs, () => this.missPicture(connected))
  }

  /**
   * Reports that no video has arrived during the first connection. Later connections report missing video when they
   * end.
   */
  private missPicture({ known: details }: RtspRun): void {
    const { reason, isGuess } = this.learnt.verdict({ how: 'silent', ...details, played: false, stoodMs: 0 })
    this.setReason(isGuess ? NOT_YET : reason)
  }

  private plan(ms: number, then = () => this.run()): void {
    this.cancel()
    this.cancel = (this.options.later ?? later)(then, ms)
  }

  private setReason(reason: string | undefined): void {
    this.reason = reason
    this.options.onState(reason)
  }

  /** Returns true if the frame can be shown; frames before the first keyframe cannot. */
  private show({ nals, keyframe }: Picture): boolean {
    if (!keyframe && !this.live) return this.missKeyframe()
    if (!isPlayable(nals)) {
      this.current?.end('unplayable')
      return false
    }
    if (keyframe) this.units = []
    if (keyframe && !this.live) this.goLive()
    const unit = { nals: keyframe ? newestSets(nals) : nals, keyframe, pts: this.stamp() }
    if (keyframe || this.units.length > 0) this.units.push(unit)
    if (this.units.length > GROUP_MAX) this.units = []
    for (const watcher of this.watchers) watcher(unit)
    return true
  }

  private stamp(): number {
    const now = this.options.clock.now()
    const isCorrected = now < this.lastPts - CORRECTED_MS
    this.lastPts = isCorrected ? now : Math.max(now, this.lastPts + STEP_MS)
    return this.lastPts
  }

  private goLive(): void {
    const { url, logins = LOGINS } = this.options
    this.cancel()
    this.begun()
    logins.accept(url)
    this.backOff.reset()
    this.live = true
    if (this.learnt.suspect) this.soundIs('broken')
    this.setReason(undefined)
  }

  /** Handles a frame before the first keyframe: the camera is not silent, so only the keyframe is missing. */
  private missKeyframe(): false {
    this.cancel()
    this.missingSince ??= performance.now()
    if (!this.complained && performance.now() - this.missingSince > (this.options.silenceMs ?? SILENCE_MS)) {
      this.complained = true
      this.setReason(NO_KEYFRAME)
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
    this.cancel()
    this.units = []
    this.live = false
    const verdict = this.learnt.verdict(end)
    const otherwise = this.learnt.learn(end, verdict)
    if (!this.running) return
    if (otherwise) {
      this.begun()
      return this.run()
    }
    void this.giveUp(end, verdict)
  }

  /** Reports the reason and schedules the next connection. */
  private async giveUp({ how }: RunEnd, verdict: RtspFailure): Promise<void> {
    const { reason, kind } = verdict
    const { url, logins = LOGINS, once } = this.options
    const ended = this.current
    const door = kind === 'door' ? await probeRtsp(parseRtspUrl(url)) : undefined
    // Stopped or restarted in the meantime.
    if (!this.running || ended !== this.current) return
    const isLogin = kind === 'login' || kind === 'right'
    const wait = isLogin ? logins.refuse(url, { kind, reason }, this.startedAt, performance.now()) : this.backOff.next()
    // The slot is released only after a rejected login is recorded: the next connection in the queue may use the same
    // login.
    this.begun()
    this.options.onVerdict?.(verdict)
    // The result of a single attempt is shown to the owner only, so it may contain the host. Otherwise the tile shows
    // it to other people too.
    const sentence = door?.shut ? probeFailureText(door.shut) : once ? (verdict.forOwner ?? reason) : reason
    this.setReason(isLogin && !once ? `${sentence} ${askedAgain(wait)}` : sentence)
    if (once) return
    if (how !== 'suspended') return this.plan(wait)
    this.backOff.reset()
    this.run()
  }
}

function later(then: () => void, ms: number): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}
