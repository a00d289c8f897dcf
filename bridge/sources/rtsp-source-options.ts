import type { BackOff } from '../runtime/backoff.ts'
import type { Clock } from '../virtual/day-schedule.ts'
import type { ConnectQueue } from './connect-queue.ts'
import type { RefusedLogins } from './login-backoff.ts'
import type { Verdict } from './rtsp-errors.ts'

export interface RtspOptions {
  readonly url: string
  readonly clock: Clock
  /** Called at every change: a reason while there is no picture, undefined once there is one. */
  readonly onState: (reason: string | undefined) => void
  /** What to do with H.265: decode and encode it, at some cost, or leave it with a sentence. */
  readonly h265?: 'transcode' | 'refuse'
  /** Called with what a connection has ended by, before `onState` says it. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Called when it begins to transcode. */
  readonly onTranscode?: () => void
  /** Called when it turns out whether it has sound, and `broken` when it has some that cannot be read. */
  readonly onSound?: (sound: 'heard' | 'none' | 'broken') => void
  /** Its sound is wanted. */
  readonly sound?: boolean
  readonly ffmpeg?: string
  readonly silenceMs?: number
  readonly firstMs?: number
  readonly backOff?: BackOff
  /** Called when it turns out that the camera sends by UDP only. */
  readonly onUdp?: () => void
  /** One connection and no other after it: nothing is said of a next one. */
  readonly once?: boolean
  readonly openings?: ConnectQueue
  readonly logins?: RefusedLogins
  /** See `RunOptions`. */
  readonly uptime?: () => number
  /** Calls back after so many ms, unless its answer is called before. */
  readonly later?: (then: () => void, ms: number) => () => void
}
