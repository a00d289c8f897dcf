import { BackOff } from '../back-off.ts'
import { nalType, NAL, type AccessUnit } from '../h264/annex-b.ts'
import { pictureSize } from '../h264/sps.ts'
import { bytesOf } from '../recording/ring.ts'
import { RtspSource } from '../sources/rtsp.ts'

/** Keyframes to see before the stream is known. */
const KEYFRAMES = 3
const PATIENCE_MS = 15_000

/** What a camera sends; `keyframeMs` is undefined when no second keyframe came in 15 s. */
export interface Stream {
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly kbits: number
  readonly keyframeMs: number | undefined
  readonly transcoded: boolean
  readonly sound: 'heard' | 'none' | 'broken'
}

/** Watches a stream for a few seconds. Resolves to a sentence when there is no picture. */
export function listen(url: string): Promise<Stream | { readonly wrong: string }> {
  return new Promise((resolve) => {
    const units: AccessUnit[] = []
    let transcoded = false
    let sound: Stream['sound'] = 'none'
    const source = new RtspSource({
      url,
      clock: { now: () => performance.now() },
      onState: (reason) => reason !== undefined && done({ wrong: reason }),
      onTranscode: () => (transcoded = true),
      sound: true,
      onSound: (what) => (sound = what),
      backOff: new BackOff(60_000, 60_000),
    })
    const done = (result: Stream | { wrong: string }) => {
      clearTimeout(timer)
      source.stop()
      resolve(result)
    }
    const timer = setTimeout(() => done(describe(units, transcoded, sound)), PATIENCE_MS)
    source.watch((unit) => {
      units.push(unit)
      if (units.filter((one) => one.keyframe).length > KEYFRAMES) done(describe(units, transcoded, sound))
    })
    source.start()
  })
}

function describe(
  units: readonly AccessUnit[],
  transcoded: boolean,
  sound: Stream['sound'],
): Stream | { wrong: string } {
  const [first] = units
  const sps = first?.nals.find((nal) => nalType(nal) === NAL.sps)
  if (!first || !sps) return { wrong: 'The camera gives no picture in 15 s. Restart it and try again.' }
  const keys = units.filter((unit) => unit.keyframe)
  const seconds = Math.max(0.001, ((units.at(-1)?.pts ?? 0) - first.pts) / 1000)
  const keyframeMs = keys.length > 1 ? ((keys.at(-1)?.pts ?? 0) - first.pts) / (keys.length - 1) : undefined
  const bytes = units.reduce((sum, unit) => sum + bytesOf(unit), 0)
  return {
    ...pictureSize(sps),
    fps: (units.length - 1) / seconds,
    kbits: (bytes * 8) / 1000 / seconds,
    keyframeMs,
    transcoded,
    sound,
  }
}
