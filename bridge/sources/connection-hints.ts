import { parseRtspUrl } from './rtsp-address.ts'
import type { RtspOptions } from './rtsp-source-options.ts'
import { KNOWS_NO_OPTION } from './ffmpeg-input.ts'
import { NO_KEYFRAME, SENDS_SOUND, SENDS_VIDEO, SOUND_FAILED, type RtspFailure, toVerdict } from './rtsp-errors.ts'
import type { RunEnd } from './rtsp-connection.ts'
import { describedVideo, describesSound } from './sdp.ts'

/** Remembers facts from earlier connections to one address, and chooses the settings of the next connection. */
export class ConnectionHints {
  private readonly options: RtspOptions
  private readonly onNoSound: () => void
  private readonly hasLogin: boolean
  /** True if the camera sends parameter sets only with its keyframes, and these are rare. */
  patient = false
  /** True if the previous connection failed, perhaps because of its audio. */
  suspect = false
  /** True if this ffmpeg supports options in its input list (see `inputList`). */
  private inList = true
  private transcode = false
  /** True if the camera rejects video over TCP. */
  private udp = false
  /**
   * True if the next connection requests audio. False if the last connection had no audio, or audio that cannot be
   * decoded.
   */
  private asksForSound: boolean

  constructor(options: RtspOptions, onNoSound: () => void) {
    this.options = options
    this.onNoSound = onNoSound
    this.asksForSound = options.sound ?? false
    this.hasLogin = parseRtspUrl(options.url).username !== ''
  }

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

  verdict(end: RunEnd): RtspFailure {
    const { hasLogin, udp, transcode } = this
    return toVerdict(end, { hasLogin, udp, transcode })
  }

  /**
   * Learns from the end of a connection. Returns true if the connection failed because of its settings, so that an
   * immediate retry with other settings is worthwhile.
   */
  learn(end: RunEnd, { reason, kind }: RtspFailure): boolean {
    if (KNOWS_NO_OPTION.test(end.stderr)) this.inList = false
    this.patient = reason === NO_KEYFRAME
    const failed = end.how === 'closed' && !end.played
    const otherwise = this.learnSound(end.stderr, failed) && failed
    const refusesTcp = kind === 'tcp'
    if (refusesTcp) this.options.onUdp?.()
    // If nothing arrives by UDP, the next connection requests TCP again.
    this.udp = refusesTcp || (this.udp && end.played)
    return otherwise || refusesTcp
  }

  /**
   * Learns if the camera has usable audio. Returns true if this connection requested audio and the next one will not:
   * if `failed`, the audio may be the cause.
   */
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
