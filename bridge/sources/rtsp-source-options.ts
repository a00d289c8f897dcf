import type { BackOff } from '../runtime/backoff.ts'
import type { ProviderClock } from '../virtual/day-schedule.ts'
import type { ConnectQueue } from './connect-queue.ts'
import type { RefusedLogins } from './login-backoff.ts'
import type { RtspFailure } from './rtsp-errors.ts'

export interface RtspOptions {
  readonly url: string
  readonly clock: ProviderClock
  /**
   * Called when video starts, with undefined, and when video is missing or the reason for that changes, with the
   * reason.
   */
  readonly onState: (reason: string | undefined) => void
  /** Transcodes H.265, which costs CPU time, or rejects it with an explanation. */
  readonly h265?: 'transcode' | 'refuse'
  /** Called with the reason for the end of a connection, before `onState`. */
  readonly onVerdict?: (verdict: RtspFailure) => void
  readonly onTranscode?: () => void
  /** Called when it turns out if the camera has audio. `broken`: the camera has audio that cannot be decoded. */
  readonly onSound?: (sound: 'heard' | 'none' | 'broken') => void
  readonly sound?: boolean
  readonly ffmpeg?: string
  readonly silenceMs?: number
  readonly firstMs?: number
  readonly backOff?: BackOff
  /** Called when the camera turns out to send by UDP only. */
  readonly onUdp?: () => void
  /** Connects only once; messages do not announce a retry. */
  readonly once?: boolean
  readonly openings?: ConnectQueue
  readonly logins?: RefusedLogins
  readonly uptime?: () => number
  /** Schedules `then` after `ms`. Returns a function that cancels it. */
  readonly later?: (then: () => void, ms: number) => () => void
}
