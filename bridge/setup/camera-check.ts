import type { CameraAnswer, CheckStep } from '../../contract/cameras/camera-setup.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { findSps } from '../media/h264/parameter-sets.ts'
import { tryReadFrameSize } from '../media/h264/sps.ts'
import { probeRtsp, formatProbeFailure } from '../sources/rtsp-probe.ts'
import { LoginBackoff, type LoginRejectionKind } from '../sources/login-backoff.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import { LOGIN_REQUIRED_TEXT, type RtspFailure } from '../sources/rtsp-errors.ts'
import { RtspSource } from '../sources/rtsp-source.ts'
import { encodeJpeg } from '../media/jpeg-encoder.ts'

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
type ReportStep = (step: CheckStep, state: 'running' | 'done' | 'failed', text?: string) => void

/**
 * Tests a camera address that the owner typed, and reports each step: reachable, signed in, video, audio. Returns true
 * if the camera delivers video.
 */
export async function checkCamera(address: string, sendAnswer: SendCameraAnswer): Promise<boolean> {
  const startedAt = performance.now()
  const reportStep: ReportStep = (step, state, text = '') =>
    sendAnswer({ answer: 'step', step, state, ms: Math.round(performance.now() - startedAt), words: text })
  reportStep('reachable', 'running')
  let url: URL
  try {
    url = parseRtspUrl(address)
  } catch (error) {
    reportStep('reachable', 'failed', (error as Error).message)
    return false
  }
  const { shut } = await probeRtsp(url)
  if (shut) {
    reportStep('reachable', 'failed', formatProbeFailure(shut, url))
    return false
  }
  reportStep('reachable', 'done', 'It answers in your home network.')
  reportStep('signed_in', 'running')
  return new Promise((resolve) => new StreamCheck(address, url, reportStep, sendAnswer, resolve).start())
}

class StreamCheck {
  readonly #units: AccessUnit[] = []
  readonly #source: RtspSource
  readonly #url: URL
  readonly #reportStep: ReportStep
  readonly #sendAnswer: SendCameraAnswer
  readonly #resolve: (isWorking: boolean) => void
  #failure: RtspFailure | undefined
  #isTranscoded = false
  #audioState: 'heard' | 'none' | 'broken' | undefined
  #imageSending: Promise<void> | undefined
  #timers: NodeJS.Timeout[] = []
  #hasReportedVideo = false
  #hasEnded = false

  constructor(
    address: string,
    url: URL,
    reportStep: ReportStep,
    sendAnswer: SendCameraAnswer,
    resolve: (isWorking: boolean) => void,
  ) {
    this.#url = url
    this.#reportStep = reportStep
    this.#sendAnswer = sendAnswer
    this.#resolve = resolve
    this.#source = new RtspSource({
      url: address,
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
    const rate = seconds > 0 ? `, ${Math.round((steady.length - 1) / seconds)} a second` : ''
    const cost = this.#isTranscoded
      ? ' It sends H.265, which costs a good part of a core here; H.264 costs nothing.'
      : ''
    this.#reportStep('picture', 'done', `${size ? `${size.width} × ${size.height}` : 'It comes'}${rate}.${cost}`)
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
    this.#resolve(isWorking)
  }
}

const AUDIO_TEXTS = {
  heard: 'It has a microphone.',
  none: 'It sends no sound.',
  broken: 'Its sound cannot be read. Choose AAC or G.711 for it in the camera.',
}

const LOGIN_FAILURE_TEXTS: Readonly<Record<LoginRejectionKind, string>> = {
  login: 'Refused. Check capital letters, or make a user for viewing in its own app.',
  right: 'This user may not view it. Give it that right in the camera, or use another user.',
}

function describeLoginFailure(failure: RtspFailure | undefined): string | undefined {
  if (failure?.reason === LOGIN_REQUIRED_TEXT) return 'It wants a user and a password. Type them beside its address.'
  return failure?.kind === 'login' || failure?.kind === 'right' ? LOGIN_FAILURE_TEXTS[failure.kind] : undefined
}

function formatUser(user: string): string {
  if (user === '') return 'It asks for no password.'
  try {
    return `As ${decodeURIComponent(user)}.`
  } catch {
    return `As ${user}.`
  }
}

/** Removes "trying again" from a failure reason, because a check connects only once. */
const removeRetryNotice = (reason: string) =>
  reason.replace(/[;,] trying again\.$/, '.').replace(/ (Trying again|Connecting again)\.$/, '')
