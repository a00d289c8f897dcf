import { parseRtspUrl } from './rtsp-address.ts'
import type { RtspOptions } from './rtsp-source-options.ts'
import { KNOWS_NO_OPTION } from './ffmpeg-input.ts'
import { NO_KEYFRAME, SENDS_SOUND, SENDS_VIDEO, SOUND_FAILED, type Verdict, toVerdict } from './rtsp-errors.ts'
import type { RunEnd } from './rtsp-connection.ts'
import { describedVideo, describesSound } from './sdp.ts'

/** What the connections to one address have taught, for the next one. */
export class ConnectionHints {
  private readonly options: RtspOptions
  private readonly onNoSound: () => void
  private readonly hasLogin: boolean
  /** The camera keeps its parameter sets for its keyframes, and these are rare. */
  patient = false
  /** The connection before this one failed, perhaps because of its sound. */
  suspect = false
  /** This ffmpeg knows options in a list. */
  private inList = true
  private transcode = false
  /** The camera refuses pictures in the connection. */
  private udp = false
  /** Whether the next connection asks for sound: not when the last one showed that there is none, or none that can be read. */
  private asksForSound: boolean

  constructor(options: RtspOptions, onNoSound: () => void) {
    this.options = options
    this.onNoSound = onNoSound
    this.asksForSound = options.sound ?? false
    this.hasLogin = parseRtspUrl(options.url).username !== ''
  }

  /** How ffmpeg shall read what the camera describes. */
  wishes(description: string) {
    const { sound: isWanted = false, h265, onTranscode } = this.options
    if (!this.transcode && h265 !== 'refuse' && describedVideo(description) === 'H265') {
      this.transcode = true
      onTranscode?.()
    }
    const hasSound = describesSound(description)
    this.asksForSound = isWanted && hasSound && !this.suspect
    if (isWanted && !hasSound) this.onNoSound()
    const { patient, suspect: deaf, inList: options, transcode, udp, asksForSound: sound } = this
    return { patient, deaf, options, transcode, udp, sound }
  }

  /** What the end of the connection means that was made so. */
  verdict(end: RunEnd): Verdict {
    const { hasLogin, udp, transcode } = this
    return toVerdict(end, { hasLogin, udp, transcode })
  }

  /** Answers whether the connection failed for what was asked of it, and is worth another try at once. */
  learn(end: RunEnd, { reason, kind }: Verdict): boolean {
    if (KNOWS_NO_OPTION.test(end.stderr)) this.inList = false
    this.patient = reason === NO_KEYFRAME
    const failed = end.how === 'closed' && !end.played
    const otherwise = this.learnSound(end.stderr, failed) && failed
    const refusesTcp = kind === 'tcp'
    if (refusesTcp) this.options.onUdp?.()
    // Where nothing comes by UDP the next connection asks for TCP again.
    this.udp = refusesTcp || (this.udp && end.played)
    return otherwise || refusesTcp
  }

  /** Answers whether this connection may have failed (`failed`) because of the sound that was asked for. */
  private learnSound(stderr: string, failed: boolean): boolean {
    if (this.options.sound !== true || !SENDS_VIDEO.test(stderr)) return false
    const wasRequested = this.asksForSound
    const has = this.suspect || SENDS_SOUND.test(stderr)
    this.suspect = wasRequested && has && (failed || SOUND_FAILED.test(stderr))
    this.asksForSound = has && !this.suspect
    if (!has) this.onNoSound()
    return wasRequested && !this.asksForSound
  }
}
