import { parseRtspUrl } from './rtsp-address.ts'
import type { RtspSourceOptions } from './rtsp-source-options.ts'
import { UNSUPPORTED_OPTION_PATTERN } from './ffmpeg-input.ts'
import {
  NO_KEYFRAME_TEXT,
  AUDIO_STREAM_PATTERN,
  VIDEO_STREAM_PATTERN,
  AUDIO_ERROR_PATTERN,
  type RtspFailure,
  explainConnectionEnd,
} from './rtsp-errors.ts'
import type { ConnectionEnd } from './rtsp-connection.ts'
import { getVideoEncoding, describesAudio } from './sdp.ts'

/** Learns from earlier connections to one address, and chooses the settings of the next connection. */
export class ConnectionHints {
  readonly #options: RtspSourceOptions
  readonly #onNoAudio: () => void
  readonly #hasLogin: boolean
  /**
   * True if keyframes are rare. ffmpeg then needs more time to find the parameter sets, which arrive with the
   * keyframes.
   */
  hasRareKeyframes = false
  /**
   * True if the previous connection requested audio, and then either failed before any video or reported an audio
   * error.
   */
  isAudioSuspected = false
  /** True if this ffmpeg version supports options in its input list (see `buildInputList`). */
  #supportsListOptions = true
  #mustTranscode = false
  /** True if the connection must use UDP, because the camera has rejected video over TCP. */
  #mustUseUdp = false
  /** True if the current connection requests audio. Between connections, true if the camera may have usable audio. */
  #requestsAudio: boolean

  constructor(options: RtspSourceOptions, onNoAudio: () => void) {
    this.#options = options
    this.#onNoAudio = onNoAudio
    this.#requestsAudio = options.sound ?? false
    this.#hasLogin = parseRtspUrl(options.url).username !== ''
  }

  chooseSettings(description: string) {
    const { sound: isAudioWanted = false, h265, onTranscode } = this.#options
    if (!this.#mustTranscode && h265 !== 'refuse' && getVideoEncoding(description) === 'H265') {
      this.#mustTranscode = true
      onTranscode?.()
    }
    const hasAudio = describesAudio(description)
    this.#requestsAudio = isAudioWanted && hasAudio && !this.isAudioSuspected
    if (isAudioWanted && !hasAudio) this.#onNoAudio()
    const { hasRareKeyframes, isAudioSuspected: deaf } = this
    const options = this.#supportsListOptions
    const mustTranscode = this.#mustTranscode
    const mustUseUdp = this.#mustUseUdp
    const sound = this.#requestsAudio
    return { patient: hasRareKeyframes, deaf, options, transcode: mustTranscode, udp: mustUseUdp, sound }
  }

  explainEnd(end: ConnectionEnd): RtspFailure {
    const hasLogin = this.#hasLogin
    const mustUseUdp = this.#mustUseUdp
    const mustTranscode = this.#mustTranscode
    return explainConnectionEnd(end, { hasLogin, udp: mustUseUdp, transcode: mustTranscode })
  }

  /** Learns from the end of a connection. Returns true if an immediate retry with other settings may succeed. */
  learnFromEnd(end: ConnectionEnd, { reason, kind }: RtspFailure): boolean {
    if (UNSUPPORTED_OPTION_PATTERN.test(end.stderr)) this.#supportsListOptions = false
    this.hasRareKeyframes = reason === NO_KEYFRAME_TEXT
    const failed = end.how === 'closed' && !end.played
    const canRetryWithoutAudio = this.#learnAudio(end.stderr, failed) && failed
    const refusesTcp = kind === 'tcp'
    if (refusesTcp) this.#options.onUdp?.()
    // If this UDP connection delivered no video, the next connection requests TCP again.
    this.#mustUseUdp = refusesTcp || (this.#mustUseUdp && end.played)
    return canRetryWithoutAudio || refusesTcp
  }

  /**
   * Learns whether the camera has usable audio. Returns true if this connection requested audio, and the audio was
   * missing or is now suspected (see `isAudioSuspected`). `hasFailed`: the connection ended as `closed`, before any
   * playable video.
   */
  #learnAudio(stderr: string, hasFailed: boolean): boolean {
    if (this.#options.sound !== true || !VIDEO_STREAM_PATTERN.test(stderr)) return false
    const wasRequested = this.#requestsAudio
    const hasAudio = this.isAudioSuspected || AUDIO_STREAM_PATTERN.test(stderr)
    this.isAudioSuspected = wasRequested && hasAudio && (hasFailed || AUDIO_ERROR_PATTERN.test(stderr))
    this.#requestsAudio = hasAudio && !this.isAudioSuspected
    if (!hasAudio) this.#onNoAudio()
    return wasRequested && !this.#requestsAudio
  }
}
