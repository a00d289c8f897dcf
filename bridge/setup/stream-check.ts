import type { CameraAnswer, CameraStream, CheckStep } from '../../contract/cameras/camera-setup.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { findSps } from '../media/h264/parameter-sets.ts'
import { tryReadFrameSize } from '../media/h264/sps.ts'
import { encodeJpeg } from '../media/jpeg-encoder.ts'
import { LoginBackoff } from '../sources/login-backoff.ts'
import { LOGIN_REQUIRED_TEXT, type RtspFailure } from '../sources/rtsp-errors.ts'
import { RtspSource } from '../sources/rtsp-source.ts'
import { LOGIN_FAILURE_TEXTS, LOGIN_MISSING_TEXT } from './login-texts.ts'

/**
 * Time after the first frame at which the check reports the video, ms. The check also waits for audio, but at most
 * until `AUDIO_WAIT_MS` after the first frame.
 */
const VIDEO_OBSERVATION_MS = 1500
/**
 * Time after the first frame that the frame rate measurement ignores, ms: all frames since the last keyframe arrive in
 * one burst.
 */
const INITIAL_BURST_MS = 500
const AUDIO_WAIT_MS = 4000
/** Maximum bytes of a JPEG that fits into a response. */
const MAX_JPEG_BYTES = 60_000

export type SendCameraAnswer = (answer: CameraAnswer) => void
export type ReportStep = (step: CheckStep, state: 'running' | 'done' | 'failed', text?: string) => void

export interface StreamCheckEvents {
  /** Called when the video has been measured. */
  readonly onVideo: (size: Pick<CameraStream, 'width' | 'height' | 'fps'>) => void
  /** Called when the camera has accepted the login. */
  readonly onAccepted: () => void
  /** Called at the end: true if the camera delivers video. */
  readonly onEnd: (isWorking: boolean) => void
}

/** Plays one stream for a few seconds and reports login, video and sound. */
export class StreamCheck {
  readonly #units: AccessUnit[] = []
  readonly #source: RtspSource
  readonly #url: URL
  readonly #reportStep: ReportStep
  readonly #sendAnswer: SendCameraAnswer
  readonly #events: StreamCheckEvents
  #failure: RtspFailure | undefined
  #isTranscoded = false
  #audioState: 'heard' | 'none' | 'broken' | undefined
  #imageSending: Promise<void> | undefined
  #timers: NodeJS.Timeout[] = []
  #hasReportedVideo = false
  #hasEnded = false

  constructor(url: URL, reportStep: ReportStep, sendAnswer: SendCameraAnswer, events: StreamCheckEvents) {
    this.#url = url
    this.#reportStep = reportStep
    this.#sendAnswer = sendAnswer
    this.#events = events
    this.#source = new RtspSource({
      url: url.href,
      clock: { now: () => performance.now() },
      onState: (reason) => reason !== undefined && void this.#handleFailure(reason),
      onFailure: (failure) => (this.#failure = failure),
      onTranscode: () => (this.#isTranscoded = true),
      sound: true,
      onSound: (sound) => this.#handleAudioState(sound),
      once: true,
      logins: new LoginBackoff(),
    })
  }

  start(): void {
    this.#source.watch((unit) => this.#handleFrame(unit))
    this.#source.start()
  }

  #handleFrame(unit: AccessUnit): void {
    this.#units.push(unit)
    if (this.#units.length > 1) return
    this.#events.onAccepted()
    this.#reportStep('signed_in', 'done', formatUser(this.#url.username))
    this.#reportStep('picture', 'running')
    this.#imageSending = this.#sendImage(unit)
    this.#timers.push(
      setTimeout(() => this.#reportVideo(), VIDEO_OBSERVATION_MS),
      setTimeout(() => this.#handleAudioState(this.#audioState ?? 'none'), AUDIO_WAIT_MS),
    )
  }

  async #sendImage(unit: AccessUnit): Promise<void> {
    const jpeg = await encodeJpeg([unit]).catch(() => undefined)
    if (jpeg && jpeg.length <= MAX_JPEG_BYTES) this.#sendAnswer({ answer: 'picture', jpeg: jpeg.toString('base64') })
  }

  #reportVideo(): void {
    this.#hasReportedVideo = true
    const sps = findSps(this.#units[0]?.nals ?? [])
    const size = sps && tryReadFrameSize(sps)
    const [first, last] = [this.#units[0]?.pts ?? 0, this.#units.at(-1)?.pts ?? 0]
    const steady = this.#units.filter(({ pts }) => pts >= first + INITIAL_BURST_MS)
    const seconds = (last - (steady[0]?.pts ?? last)) / 1000
    const fps = seconds > 0 ? Math.round((steady.length - 1) / seconds) : 0
    const cost = this.#isTranscoded ? '. H.265 takes much of a CPU core on the hub; H.264 takes almost none.' : ''
    const rate = fps > 0 ? `, ${fps} fps` : ''
    this.#events.onVideo({ width: size?.width ?? 0, height: size?.height ?? 0, fps })
    this.#reportStep('picture', 'done', `${size ? `${size.width} × ${size.height}` : 'Video works'}${rate}${cost}`)
    if (this.#audioState === undefined) this.#reportStep('sound', 'running')
    this.#finish()
  }

  #handleAudioState(audioState: 'heard' | 'none' | 'broken'): void {
    this.#audioState = audioState
    this.#finish()
  }

  #finish(): void {
    if (this.#hasEnded || !this.#hasReportedVideo || this.#audioState === undefined) return
    this.#reportStep('sound', 'done', AUDIO_TEXTS[this.#audioState])
    void this.#end(true)
  }

  async #handleFailure(reason: string): Promise<void> {
    if (this.#hasEnded) return
    const loginFailureText = this.#failure?.endedBeforeSignIn ? reason : describeLoginFailure(this.#failure)
    if (loginFailureText) this.#reportStep('signed_in', 'failed', loginFailureText)
    else {
      if (this.#units.length === 0) this.#reportStep('signed_in', 'done')
      this.#reportStep('picture', 'failed', removeRetryNotice(reason))
    }
    await this.#end(false)
  }

  async #end(isWorking: boolean): Promise<void> {
    this.#hasEnded = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#source.stop()
    await this.#imageSending
    this.#events.onEnd(isWorking)
  }
}

const AUDIO_TEXTS = {
  heard: 'Microphone works',
  none: 'No sound',
  broken: 'The hub can’t decode this sound. Choose AAC or G.711 in the camera’s settings.',
}

function describeLoginFailure(failure: RtspFailure | undefined): string | undefined {
  if (failure?.reason === LOGIN_REQUIRED_TEXT) return LOGIN_MISSING_TEXT
  return failure?.kind === 'login' || failure?.kind === 'right' ? LOGIN_FAILURE_TEXTS[failure.kind] : undefined
}

function formatUser(user: string): string {
  if (user === '') return 'No password needed'
  try {
    return `Logged in as ${decodeURIComponent(user)}`
  } catch {
    return `Logged in as ${user}`
  }
}

/** Removes "Retrying…" from a failure reason, because a check connects only once. */
const removeRetryNotice = (reason: string) => reason.replace(/ (Retrying|Reconnecting)…/, '')
