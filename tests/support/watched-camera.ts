import { afterEach } from 'vitest'
import { Backoff } from '../../bridge/runtime/backoff.ts'
import type { AccessUnit } from '../../bridge/media/h264/annex-b.ts'
import { RtspSource } from '../../bridge/sources/rtsp-source.ts'
import type { RtspSourceOptions } from '../../bridge/sources/rtsp-source-options.ts'
import { NO_FRAME_YET_TEXT } from '../../bridge/sources/rtsp-errors.ts'
import { RtspServer, type RtspServerOptions } from './rtsp-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

export const addTestCleanup = (end: () => unknown) => void cleanups.push(end)

export async function startCamera(options: RtspServerOptions, port = 0): Promise<RtspServer> {
  const server = await RtspServer.start(options, port)
  addTestCleanup(() => server.close())
  return server
}

export interface WatchedSource {
  readonly source: RtspSource
  /** Reported states: `live`, or the reason why the source is not live. */
  readonly states: readonly string[]
  readonly audioStates: readonly string[]
  readonly units: readonly AccessUnit[]
}

/**
 * Starts a source and records its states, audio states and frames. Omits the state `NO_FRAME_YET_TEXT` unless
 * `includeFirstState` is set, because that state depends on when ffmpeg starts.
 */
export function startWatchedSource(
  url: string,
  options: Partial<RtspSourceOptions> = {},
  { includeFirstState = false } = {},
): WatchedSource {
  const states: string[] = []
  const audioStates: string[] = []
  const units: AccessUnit[] = []
  const source = new RtspSource({
    url,
    clock: { now: () => Date.now() },
    backOff: new Backoff(50, 200),
    onState: (reason) => {
      if (includeFirstState || reason !== NO_FRAME_YET_TEXT) states.push(reason ?? 'live')
    },
    onSound: (state) => void audioStates.push(state),
    ...options,
  })
  addTestCleanup(() => source.stop())
  source.watch((unit) => void units.push(unit))
  source.start()
  return { source, states, audioStates, units }
}

/** Timeout for ffmpeg and a camera on two busy cores. */
export const CAMERA_WAIT_OPTIONS = { timeout: 25_000, interval: 20 }
