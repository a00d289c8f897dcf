import { WATCHED_MS, type BridgeMessage, type WatchedCamera } from '../contract/bridge/bridge-protocol.ts'
import type { ManagedCamera } from './cameras/managed-camera.ts'
import type { QueuedRecording, RecordingQueue } from './recording/recording-queue.ts'
import { buildVirtualEvent } from './virtual/virtual-clip.ts'
import type { ProviderClock } from './virtual/day-schedule.ts'
import type { SceneLibrary } from './virtual/scene-library.ts'

/**
 * Maximum number of waiting intervals reported per camera; if there are more, the last interval spans all that remain.
 */
const WAITING_MAX = 20

interface ReportParts {
  readonly units: ReadonlyMap<string, ManagedCamera>
  readonly queue: RecordingQueue
  readonly library: SceneLibrary
  readonly clock: ProviderClock
  readonly send: (message: BridgeMessage) => void
}

type Stretch = WatchedCamera['waiting'][number]

/**
 * Reports detection coverage and waiting recordings: at most once a second after a structural change, otherwise every
 * `WATCHED_MS`.
 */
export class WatchReport {
  private readonly parts: ReportParts
  private last = ''
  private saidAt = -Infinity
  private saying = false

  constructor(parts: ReportParts) {
    this.parts = parts
  }

  renew(): void {
    this.saidAt = -Infinity
  }

  /** Sends a report if one is due. Must be called every second. */
  async tick(): Promise<void> {
    if (this.saying) return
    const watching = this.readCoverage()
    const state = JSON.stringify([this.parts.queue.revision, watching.map(toChangeKey)])
    if (state === this.last && performance.now() - this.saidAt < WATCHED_MS) return
    this.saying = true
    this.last = state
    this.saidAt = performance.now()
    try {
      await this.sendReport(watching)
    } finally {
      this.saying = false
    }
  }

  private readCoverage(): WatchedCamera[] {
    const now = this.parts.clock.now()
    return [...this.parts.units].map(([device_id, unit]) => ({ device_id, ...unit.watching(now) }))
  }

  /**
   * Adds queued recordings to the cameras' coverage and sends it. `watching` is read before the queue, so a recording
   * that has left its camera is either in the queue or already acknowledged.
   */
  private async sendReport(watching: readonly WatchedCamera[]): Promise<void> {
    const queued = Map.groupBy(await this.parts.queue.contents(), toDeviceId)
    const cameras = watching.map(({ device_id, spans, waiting }) => {
      const stretches = (queued.get(device_id) ?? []).flatMap((entry) => toClipIntervals(this.parts.library, entry))
      return { device_id, spans, waiting: shortened([...stretches, ...waiting].sort(([a], [b]) => a - b)) }
    })
    this.parts.send({ type: 'watched', cameras })
  }
}

/** Returns the parts of a camera's coverage that trigger an immediate report when they change. */
const toChangeKey = ({ device_id, spans, waiting }: WatchedCamera) => [
  device_id,
  spans.map(([from, , kind]) => [from, kind]),
  waiting.length,
]

const toDeviceId = (entry: QueuedRecording) => ('kind' in entry ? entry.event.device_id : entry.device_id)

/** Returns the intervals that a recording covers; empty without a clip, or if its scene no longer exists. */
function toClipIntervals(library: SceneLibrary, entry: QueuedRecording): Stretch[] {
  if ('kind' in entry) return entry.clip ? [[Math.round(entry.clip.begin), Math.round(entry.clip.end)]] : []
  try {
    return buildVirtualEvent(library, entry).event_resources.map(({ begin_time, end_time }) => [begin_time, end_time])
  } catch {
    return []
  }
}

function shortened(stretches: readonly Stretch[]): Stretch[] {
  const rest = stretches.slice(WAITING_MAX - 1)
  if (rest.length < 2) return [...stretches]
  const from = rest[0]?.[0] ?? 0
  return [...stretches.slice(0, WAITING_MAX - 1), [from, Math.max(...rest.map(([, to]) => to))]]
}
