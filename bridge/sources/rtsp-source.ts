import { AudioClock, type AudioPacket } from '../media/audio/audio-clock.ts'
import { Backoff } from '../runtime/backoff.ts'
import type { AccessUnit, EncodedFrame } from '../media/h264/annex-b.ts'
import { selectNewestParameterSets, findSps } from '../media/h264/parameter-sets.ts'
import { probeRtsp, formatProbeFailure } from './rtsp-probe.ts'
import { ConnectQueue } from './connect-queue.ts'
import { formatRetryNotice, LoginBackoff } from './login-backoff.ts'
import { parseRtspUrl } from './rtsp-address.ts'
import { ConnectionHints } from './connection-hints.ts'
import type { RtspSourceOptions } from './rtsp-source-options.ts'
import { NO_KEYFRAME_TEXT, NO_FRAME_YET_TEXT, type RtspFailure } from './rtsp-errors.ts'
import { RtspConnection, type ConnectionEnd } from './rtsp-connection.ts'
import type { LensFrames, VideoSource } from './video-source.ts'

/**
 * `profile_idc` values that browsers cannot play: CAVLC 4:4:4, Extended, High 10, High 4:2:2, High 4:4:4 (H.264 annex
 * A.2).
 */
const UNPLAYABLE_PROFILES: readonly number[] = [44, 88, 110, 122, 244]

/** Returns true if browsers can play a frame with these NAL units, or if the frame carries no SPS. */
function isPlayable(nals: readonly Buffer[]): boolean {
  return !UNPLAYABLE_PROFILES.includes(findSps(nals)?.[1] ?? 0)
}

/** Time without a frame after which ffmpeg is restarted, ms. */
const FRAME_TIMEOUT_MS = 8000
/** Timeout for the first frame, ms. Some cameras need 15 s to send their SDP. */
const FIRST_FRAME_TIMEOUT_MS = 20_000
/**
 * Factor for the silence timeout of a camera whose keyframes are rare. The timeout for the first frame is at least as
 * long as the extended silence timeout.
 */
const RARE_KEYFRAME_TIMEOUT_FACTOR = 5
/**
 * Minimum distance between the timestamps of two frames, ms. Needed because several frames may arrive simultaneously.
 */
const MIN_TIMESTAMP_STEP_MS = 1
/**
 * Backward clock jump above which the timestamps jump back too, ms. After a smaller jump, they continue to increase.
 */
const MIN_CLOCK_CORRECTION_MS = 1000
/** Maximum number of frames kept since a keyframe. In a longer GOP, a new viewer waits for the next keyframe. */
const MAX_GOP_FRAMES = 600
/** Default connect queue and login backoff, shared by all sources of this process. */
const DEFAULT_CONNECT_QUEUE = new ConnectQueue()
const DEFAULT_LOGIN_BACKOFF = new LoginBackoff()

/**
 * Video source of an RTSP camera. Copies H.264 or transcodes H.265 with ffmpeg. Reconnects indefinitely, unless `once`
 * is set.
 */
export class RtspSource implements VideoSource {
  readonly #options: RtspSourceOptions
  readonly #watchers = new Set<(unit: AccessUnit) => void>()
  readonly #audioWatchers = new Set<(packet: AudioPacket) => void>()
  readonly #backoff: Backoff
  #units: AccessUnit[] = []
  #connection: RtspConnection | undefined
  #cancelTimer: () => void = () => undefined
  #releaseSlot: () => void = () => undefined
  #isRunning = false
  readonly #hints: ConnectionHints
  #audioState: 'heard' | 'none' | 'broken' | undefined
  #audioClock = new AudioClock()
  #isLive = false
  #startedAt = 0
  #lastPts = -Infinity
  #keyframeMissingSince: number | undefined
  #hasReportedMissingKeyframe = false
  /** Latest reported reason for missing video. */
  #reason: string | undefined

  constructor(options: RtspSourceOptions) {
    this.#options = options
    this.#backoff = options.backOff ?? new Backoff(500, 15_000)
    this.#hints = new ConnectionHints(options, () => this.#setAudioState('none'))
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#queueConnection()
  }

  stop(): void {
    this.#isRunning = false
    this.#cancelTimer()
    this.#releaseSlot()
    this.#connection?.stop()
    this.#connection = undefined
    this.#isLive = false
    this.#units = []
  }

  getGop(): readonly AccessUnit[] {
    return this.#units
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.#watchers.add(onUnit)
    return () => this.#watchers.delete(onUnit)
  }

  /** Subscribes to audio; undefined while the camera delivers no usable audio. */
  get watchAudio(): VideoSource['watchAudio'] {
    if (this.#audioState !== 'heard') return undefined
    return (onPacket) => {
      this.#audioWatchers.add(onPacket)
      return () => this.#audioWatchers.delete(onPacket)
    }
  }

  /** Returns this source, because one RTSP address has only one rendition. */
  getRendition(): LensFrames {
    return this
  }

  #queueConnection(): void {
    const { url, connectQueue = DEFAULT_CONNECT_QUEUE, logins = DEFAULT_LOGIN_BACKOFF } = this.#options
    this.#releaseSlot = connectQueue.enqueue((releaseSlot) => {
      const delay = logins.getDelay(url, performance.now())
      if (!delay) return this.#connect()
      releaseSlot()
      this.#setReason(`${delay.reason} ${formatRetryNotice(delay.ms)}`)
      this.#schedule(delay.ms)
    })
  }

  #connect(): void {
    const {
      url: address,
      ffmpeg = 'ffmpeg',
      uptime,
      silenceMs = FRAME_TIMEOUT_MS,
      firstMs = FIRST_FRAME_TIMEOUT_MS,
      once,
    } = this.#options
    const { hasRareKeyframes } = this.#hints
    this.#startedAt = performance.now()
    this.#hasReportedMissingKeyframe = false
    this.#keyframeMissingSince = undefined
    this.#audioClock = new AudioClock()
    const connection = new RtspConnection({
      ffmpeg,
      address,
      uptime,
      onDescription: (description) => this.#hints.chooseSettings(description),
      silenceMs: hasRareKeyframes ? RARE_KEYFRAME_TIMEOUT_FACTOR * silenceMs : silenceMs,
      firstMs: hasRareKeyframes ? Math.max(firstMs, RARE_KEYFRAME_TIMEOUT_FACTOR * silenceMs) : firstMs,
      onPicture: (picture) => this.#handleFrame(picture),
      onSound: (packet) => this.#handleAudio(packet),
      onEnd: (end) => this.#handleEnd(end),
    })
    this.#connection = connection
    if (this.#reason === undefined && !once) this.#schedule(silenceMs, () => this.#reportMissingFrame(connection))
  }

  /**
   * Reports that no video has arrived yet. Scheduled only for a connection that starts while no reason for missing
   * video is reported, for example for the first connection.
   */
  #reportMissingFrame({ currentState: currentState }: RtspConnection): void {
    const { reason, isGuess } = this.#hints.explainEnd({
      how: 'silent',
      ...currentState,
      played: false,
      suspendedMs: 0,
    })
    this.#setReason(isGuess ? NO_FRAME_YET_TEXT : reason)
  }

  #schedule(ms: number, then = () => this.#queueConnection()): void {
    this.#cancelTimer()
    this.#cancelTimer = (this.#options.schedule ?? scheduleTimeout)(then, ms)
  }

  #setReason(reason: string | undefined): void {
    this.#reason = reason
    this.#options.onState(reason)
  }

  /** Sends a frame to all watchers. Returns true if the frame is playable; returns false before the first keyframe. */
  #handleFrame({ nals, keyframe }: EncodedFrame): boolean {
    if (!keyframe && !this.#isLive) return this.#handleMissingKeyframe()
    if (!isPlayable(nals)) {
      this.#connection?.end('unplayable')
      return false
    }
    if (keyframe) this.#units = []
    if (keyframe && !this.#isLive) this.#goLive()
    const unit = { nals: keyframe ? selectNewestParameterSets(nals) : nals, keyframe, pts: this.#createTimestamp() }
    if (keyframe || this.#units.length > 0) this.#units.push(unit)
    if (this.#units.length > MAX_GOP_FRAMES) this.#units = []
    for (const watcher of this.#watchers) watcher(unit)
    return true
  }

  #createTimestamp(): number {
    const now = this.#options.clock.now()
    const isCorrected = now < this.#lastPts - MIN_CLOCK_CORRECTION_MS
    this.#lastPts = isCorrected ? now : Math.max(now, this.#lastPts + MIN_TIMESTAMP_STEP_MS)
    return this.#lastPts
  }

  #goLive(): void {
    const { url, logins = DEFAULT_LOGIN_BACKOFF } = this.#options
    this.#cancelTimer()
    this.#releaseSlot()
    logins.recordSuccess(url)
    this.#backoff.reset()
    this.#isLive = true
    if (this.#hints.isAudioSuspected) this.#setAudioState('broken')
    this.#setReason(undefined)
  }

  #handleMissingKeyframe(): false {
    this.#cancelTimer()
    this.#keyframeMissingSince ??= performance.now()
    if (
      !this.#hasReportedMissingKeyframe &&
      performance.now() - this.#keyframeMissingSince > (this.#options.silenceMs ?? FRAME_TIMEOUT_MS)
    ) {
      this.#hasReportedMissingKeyframe = true
      this.#setReason(NO_KEYFRAME_TEXT)
    }
    return false
  }

  #handleAudio(data: Buffer): void {
    const pts = this.#audioClock.stamp(this.#options.clock.now())
    this.#setAudioState('heard')
    if (pts !== undefined) for (const listener of this.#audioWatchers) listener({ data, pts })
  }

  #setAudioState(audioState: 'heard' | 'none' | 'broken'): void {
    if (this.#audioState === audioState) return
    this.#audioState = audioState
    this.#options.onSound?.(audioState)
  }

  #handleEnd(end: ConnectionEnd): void {
    this.#cancelTimer()
    this.#units = []
    this.#isLive = false
    const failure = this.#hints.explainEnd(end)
    const canRetryNow = this.#hints.learnFromEnd(end, failure)
    if (!this.#isRunning) return
    if (canRetryNow) {
      this.#releaseSlot()
      return this.#queueConnection()
    }
    void this.#scheduleRetry(end, failure)
  }

  async #scheduleRetry({ how }: ConnectionEnd, failure: RtspFailure): Promise<void> {
    const { reason, kind } = failure
    const { url, logins = DEFAULT_LOGIN_BACKOFF, once } = this.#options
    const connection = this.#connection
    const probe = kind === 'door' ? await probeRtsp(parseRtspUrl(url)) : undefined
    // The source was stopped or restarted during the probe.
    if (!this.#isRunning || connection !== this.#connection) return
    const isLoginRejection = kind === 'login' || kind === 'right'
    const delayMs = isLoginRejection
      ? logins.recordRejection(url, { kind, reason }, this.#startedAt, performance.now())
      : this.#backoff.next()
    // Release the slot only after a rejected login is recorded, because the next queued connection may use the same
    // login.
    this.#releaseSlot()
    this.#options.onFailure?.(failure)
    // With `once`, only the owner sees the sentence, so it may contain the host. Otherwise, everyone who can see the
    // camera sees the sentence.
    const sentence = probe?.shut ? formatProbeFailure(probe.shut) : once ? (failure.forOwner ?? reason) : reason
    this.#setReason(isLoginRejection && !once ? `${sentence} ${formatRetryNotice(delayMs)}` : sentence)
    if (once) return
    if (how !== 'suspended') return this.#schedule(delayMs)
    this.#backoff.reset()
    this.#queueConnection()
  }
}

function scheduleTimeout(then: () => void, ms: number): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}
