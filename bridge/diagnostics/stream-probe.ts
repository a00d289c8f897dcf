import type { AccessUnit } from '../media/h264/annex-b.ts'
import { findSps } from '../media/h264/parameter-sets.ts'
import { PictureOrder } from '../media/h264/picture-order-count.ts'
import { tryReadFrameSize } from '../media/h264/sps.ts'
import { countBytes } from '../recording/pre-roll-buffer.ts'
import { LoginBackoff } from '../sources/login-backoff.ts'
import { RtspSource } from '../sources/rtsp-source.ts'

/** Number of complete GOPs after which the probe ends. */
const COMPLETE_GOPS = 3
const PROBE_TIMEOUT_MS = 15_000

/**
 * Properties of a camera's stream. `keyframeMs`: average time between keyframes; undefined if no second keyframe
 * arrived within 15 s.
 */
export interface ProbedStream {
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly kbits: number
  readonly keyframeMs: number | undefined
  readonly transcoded: boolean
  /** True if the camera sends by UDP only. */
  readonly udp: boolean
  /** True if the camera sends B-frames. */
  readonly reordered: boolean
  readonly sound: 'heard' | 'none' | 'broken'
}

/**
 * Watches a stream for a few seconds. Resolves to the stream's properties or, if no video arrives, to a sentence in
 * `wrong`.
 */
export function probeStream(url: string): Promise<ProbedStream | { readonly wrong: string }> {
  return new Promise((resolve) => {
    const units: AccessUnit[] = []
    let transcoded = false
    let udp = false
    let sound: ProbedStream['sound'] = 'none'
    let timer: NodeJS.Timeout | undefined
    const source = new RtspSource({
      url,
      clock: { now: () => performance.now() },
      onState: (reason) => reason !== undefined && done({ wrong: reason }),
      onTranscode: () => (transcoded = true),
      sound: true,
      onSound: (audioState) => (sound = audioState),
      onUdp: () => (udp = true),
      once: true,
      logins: new LoginBackoff(),
    })
    const done = (result: ProbedStream | { wrong: string }) => {
      clearTimeout(timer)
      source.stop()
      resolve(result)
    }
    const finish = () => done(describeStream(units, { transcoded, udp, sound }))
    source.watch((unit) => {
      // Starts the timeout at the first frame; until then, the source applies its own timeout.
      timer ??= setTimeout(finish, PROBE_TIMEOUT_MS)
      units.push(unit)
      if (units.filter((accessUnit) => accessUnit.keyframe).length > COMPLETE_GOPS) finish()
    })
    source.start()
  })
}

function describeStream(
  units: readonly AccessUnit[],
  observed: Pick<ProbedStream, 'transcoded' | 'udp' | 'sound'>,
): ProbedStream | { wrong: string } {
  const [first] = units
  const sps = first && findSps(first.nals)
  const size = sps && tryReadFrameSize(sps)
  if (!first || !size)
    return { wrong: "The camera didn't send video within 15 seconds. Restart the camera and try again." }
  const order = new PictureOrder()
  const keys = units.filter((unit) => unit.keyframe)
  const seconds = Math.max(0.001, ((units.at(-1)?.pts ?? 0) - first.pts) / 1000)
  const keyframeMs = keys.length > 1 ? ((keys.at(-1)?.pts ?? 0) - first.pts) / (keys.length - 1) : undefined
  const bytes = units.reduce((sum, unit) => sum + countBytes(unit), 0)
  return {
    ...size,
    fps: (units.length - 1) / seconds,
    kbits: (bytes * 8) / 1000 / seconds,
    keyframeMs,
    ...observed,
    reordered: units.some((unit) => order.isReordered(unit)),
  }
}
