import type { CameraAnswer, CheckStep } from '../../contract/cameras/camera-setup.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { findSps } from '../media/h264/parameter-sets.ts'
import { tryReadPictureSize } from '../media/h264/sps.ts'
import { probeRtsp, probeFailureText } from '../sources/rtsp-probe.ts'
import { RefusedLogins, type RefusalKind } from '../sources/login-backoff.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import { NO_LOGIN, type RtspFailure } from '../sources/rtsp-errors.ts'
import { RtspSource } from '../sources/rtsp-source.ts'
import { encodeJpeg } from '../media/jpeg-encoder.ts'

/**
 * Observation time after the first frame, ms: LOOK_MS until the video is described, HEAR_MS at most for audio to
 * arrive.
 */
const LOOK_MS = 1500
/**
 * Start of a stream that is ignored when the frame rate is measured, ms: all frames since the last keyframe arrive in
 * one burst.
 */
const BURST_MS = 500
const HEAR_MS = 4000
/** Maximum bytes of a JPEG that fits into a response. */
const JPEG_MAX = 60_000

export type Tell = (answer: CameraAnswer) => void
type Say = (step: CheckStep, state: 'running' | 'done' | 'failed', words?: string) => void

/**
 * Tests an address as its owner typed it, and reports each step: reachable, signed in, video, audio. Returns true if
 * the camera delivers video.
 */
export async function check(address: string, tell: Tell): Promise<boolean> {
  const began = performance.now()
  const reportStep: Say = (step, state, words = '') =>
    tell({ answer: 'step', step, state, ms: Math.round(performance.now() - began), words })
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
    reportStep('reachable', 'failed', probeFailureText(shut, url))
    return false
  }
  reportStep('reachable', 'done', 'It answers in your home network.')
  reportStep('signed_in', 'running')
  return new Promise((resolve) => new Look(address, url, reportStep, tell, resolve).start())
}

class Look {
  private readonly units: AccessUnit[] = []
  private readonly source: RtspSource
  private readonly url: URL
  private readonly say: Say
  private readonly tell: Tell
  private readonly resolve: (good: boolean) => void
  private verdict: RtspFailure | undefined
  private transcoded = false
  private sound: 'heard' | 'none' | 'broken' | undefined
  private drawing: Promise<void> | undefined
  private timers: NodeJS.Timeout[] = []
  private looked = false
  private over = false

  constructor(address: string, url: URL, say: Say, tell: Tell, resolve: (good: boolean) => void) {
    this.url = url
    this.say = say
    this.tell = tell
    this.resolve = resolve
    this.source = new RtspSource({
      url: address,
      clock: { now: () => performance.now() },
      onState: (reason) => reason !== undefined && void this.failed(reason),
      onVerdict: (verdict) => (this.verdict = verdict),
      onTranscode: () => (this.transcoded = true),
      sound: true,
      onSound: (sound) => this.hear(sound),
      ...{ once: true, logins: new RefusedLogins() },
    })
  }

  start(): void {
    this.source.watch((unit) => this.see(unit))
    this.source.start()
  }

  private see(unit: AccessUnit): void {
    this.units.push(unit)
    if (this.units.length > 1) return
    this.say('signed_in', 'done', formatUser(this.url.username))
    this.say('picture', 'running')
    this.drawing = this.draw(unit)
    this.timers.push(
      setTimeout(() => this.describe(), LOOK_MS),
      setTimeout(() => this.hear(this.sound ?? 'none'), HEAR_MS),
    )
  }

  /** Sends an image of the frame. The image is optional: if encoding fails, the check continues without it. */
  private async draw(unit: AccessUnit): Promise<void> {
    const jpeg = await encodeJpeg([unit]).catch(() => undefined)
    if (jpeg && jpeg.length <= JPEG_MAX) this.tell({ answer: 'picture', jpeg: jpeg.toString('base64') })
  }

  private describe(): void {
    this.looked = true
    const sps = findSps(this.units[0]?.nals ?? [])
    const size = sps && tryReadPictureSize(sps)
    const [first, last] = [this.units[0]?.pts ?? 0, this.units.at(-1)?.pts ?? 0]
    const steady = this.units.filter(({ pts }) => pts >= first + BURST_MS)
    const seconds = (last - (steady[0]?.pts ?? last)) / 1000
    const rate = seconds > 0 ? `, ${Math.round((steady.length - 1) / seconds)} a second` : ''
    const cost = this.transcoded ? ' It sends H.265, which costs a good part of a core here; H.264 costs nothing.' : ''
    this.say('picture', 'done', `${size ? `${size.width} × ${size.height}` : 'It comes'}${rate}.${cost}`)
    if (this.sound === undefined) this.say('sound', 'running')
    this.finish()
  }

  private hear(sound: 'heard' | 'none' | 'broken'): void {
    this.sound = sound
    this.finish()
  }

  private finish(): void {
    if (this.over || !this.looked || this.sound === undefined) return
    this.say('sound', 'done', SOUNDS[this.sound])
    void this.end(true)
  }

  private async failed(reason: string): Promise<void> {
    if (this.over) return
    const refusal = this.verdict?.isUnsigned ? reason : describeLoginFailure(this.verdict)
    if (refusal) this.say('signed_in', 'failed', refusal)
    else {
      if (this.units.length === 0) this.say('signed_in', 'done')
      this.say('picture', 'failed', withoutPromise(reason))
    }
    await this.end(false)
  }

  private async end(good: boolean): Promise<void> {
    this.over = true
    for (const timer of this.timers) clearTimeout(timer)
    this.source.stop()
    await this.drawing
    this.resolve(good)
  }
}

const SOUNDS = {
  heard: 'It has a microphone.',
  none: 'It sends no sound.',
  broken: 'Its sound cannot be read. Choose AAC or G.711 for it in the camera.',
}

const REFUSALS: Readonly<Record<RefusalKind, string>> = {
  login: 'Refused. Check capital letters, or make a user for viewing in its own app.',
  right: 'This user may not view it. Give it that right in the camera, or use another user.',
}

/** Returns the remedy for a rejected login; undefined if the login was not rejected. */
function describeLoginFailure(verdict: RtspFailure | undefined): string | undefined {
  if (verdict?.reason === NO_LOGIN) return 'It wants a user and a password. Type them beside its address.'
  return verdict?.kind === 'login' || verdict?.kind === 'right' ? REFUSALS[verdict.kind] : undefined
}

function formatUser(user: string): string {
  if (user === '') return 'It asks for no password.'
  try {
    return `As ${decodeURIComponent(user)}.`
  } catch {
    return `As ${user}.`
  }
}

/** Removes the announcement of a retry from a reason, because a check connects only once. */
const withoutPromise = (reason: string) =>
  reason.replace(/[;,] trying again\.$/, '.').replace(/ (Trying again|Connecting again)\.$/, '')
