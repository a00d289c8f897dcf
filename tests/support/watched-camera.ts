import { afterEach } from 'vitest'
import { BackOff } from '../../bridge/runtime/backoff.ts'
import type { AccessUnit } from '../../bridge/media/h264/annex-b.ts'
import { RtspSource } from '../../bridge/sources/rtsp-source.ts'
import type { RtspOptions } from '../../bridge/sources/rtsp-source-options.ts'
import { NOT_YET } from '../../bridge/sources/rtsp-errors.ts'
import { RtspServer, type RtspServerOptions } from './rtsp-server.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

export const atEnd = (end: () => unknown) => void ends.push(end)

export async function switchOn(options: RtspServerOptions, port = 0): Promise<RtspServer> {
  const server = await RtspServer.start(options, port)
  atEnd(() => server.close())
  return server
}

export interface Watched {
  readonly source: RtspSource
  /** Reported states: `live`, or the reason why the source is not live. */
  readonly states: readonly string[]
  readonly sound: readonly string[]
  readonly units: readonly AccessUnit[]
}

/**
 * Starts a source and records its states and frames. Omits the state before the first frame unless `early` is set,
 * because that state depends on when ffmpeg starts.
 */
export function watch(url: string, options: Partial<RtspOptions> = {}, { early = false } = {}): Watched {
  const states: string[] = []
  const sound: string[] = []
  const units: AccessUnit[] = []
  const source = new RtspSource({
    ...{ url, clock: { now: () => Date.now() }, backOff: new BackOff(50, 200) },
    onState: (reason) => {
      if (early || reason !== NOT_YET) states.push(reason ?? 'live')
    },
    onSound: (state) => void sound.push(state),
    ...options,
  })
  atEnd(() => source.stop())
  source.watch((unit) => void units.push(unit))
  source.start()
  return { source, states, sound, units }
}

/** Timeout for ffmpeg and a camera on two busy cores. */
export const patience = { timeout: 25_000, interval: 20 }
