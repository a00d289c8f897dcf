import type { Backoff } from '../runtime/backoff.ts'
import type { ProviderClock } from '../virtual/day-schedule.ts'
import type { ConnectQueue } from './connect-queue.ts'
import type { LoginBackoff } from './login-backoff.ts'
import type { RtspFailure } from './rtsp-errors.ts'

export interface RtspSourceOptions {
  readonly url: string
  readonly clock: ProviderClock
  /** Called with undefined when video starts, and with the reason when video is missing or the reason changes. */
  readonly onState: (reason: string | undefined) => void
  /** `transcode` (default) transcodes H.265, which costs CPU time. `refuse` reports H.265 as a failure. */
  readonly h265?: 'transcode' | 'refuse'
  /**
   * Called before `onState` with the reason for the end of a connection. Not called before an immediate retry with
   * other settings.
   */
  readonly onFailure?: (failure: RtspFailure) => void
  readonly onTranscode?: () => void
  /** Called when the audio state changes. `broken`: the camera has audio that cannot be decoded. */
  readonly onSound?: (audioState: 'heard' | 'none' | 'broken') => void
  readonly sound?: boolean
  readonly ffmpeg?: string
  readonly silenceMs?: number
  readonly firstMs?: number
  readonly backOff?: Backoff
  /** Called when a connection shows that the camera sends by UDP only. */
  readonly onUdp?: () => void
  /** True to schedule no retry after a failure. An immediate retry with other settings remains possible. */
  readonly once?: boolean
  readonly connectQueue?: ConnectQueue
  readonly logins?: LoginBackoff
  readonly uptime?: () => number
  /** Calls `then` after `ms`; default: `setTimeout`. Returns a function that cancels the call. */
  readonly schedule?: (then: () => void, ms: number) => () => void
}
