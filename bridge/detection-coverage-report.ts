import {
  COVERAGE_REPORT_INTERVAL_MS,
  type BridgeMessage,
  type CameraCoverage,
} from '../contract/bridge/bridge-protocol.ts'
import type { ManagedCamera } from './cameras/managed-camera.ts'
import type { QueuedRecording, RecordingQueue } from './recording/recording-queue.ts'
import { buildVirtualEvent } from './virtual/virtual-clip.ts'
import type { ProviderClock } from './virtual/day-schedule.ts'
import type { SceneLibrary } from './virtual/scene-library.ts'

/**
 * Maximum number of intervals of waiting recordings per camera. If there are more, the last interval covers all
 * remaining recordings.
 */
const MAX_WAITING_INTERVALS = 20

interface ReportParts {
  readonly units: ReadonlyMap<string, ManagedCamera>
  readonly queue: RecordingQueue
  readonly library: SceneLibrary
  readonly clock: ProviderClock
  readonly send: (message: BridgeMessage) => void
}

type Interval = CameraCoverage['waiting'][number]

/**
 * Reports detection coverage and recordings that wait for upload: within a second if a span or recording was added or
 * removed, otherwise every `COVERAGE_REPORT_INTERVAL_MS`.
 */
export class DetectionCoverageReport {
  readonly #parts: ReportParts
  #lastReportedState = ''
  #sentAt = -Infinity
  #isSending = false

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  requestReport(): void {
    this.#sentAt = -Infinity
  }

  /** Sends a report if one is due. Must be called every second. */
  async tick(): Promise<void> {
    if (this.#isSending) return
    const coverages = this.#readCoverage()
    const state = JSON.stringify([this.#parts.queue.revision, coverages.map(getChangeKey)])
    if (state === this.#lastReportedState && performance.now() - this.#sentAt < COVERAGE_REPORT_INTERVAL_MS) return
    this.#isSending = true
    this.#lastReportedState = state
    this.#sentAt = performance.now()
    try {
      await this.#sendReport(coverages)
    } finally {
      this.#isSending = false
    }
  }

  #readCoverage(): CameraCoverage[] {
    const now = this.#parts.clock.now()
    return [...this.#parts.units].map(([device_id, unit]) => ({ device_id, ...unit.getDetectionCoverage(now) }))
  }

  /**
   * Adds the queued recordings to `coverages` and sends the report. `coverages` must be read before the queue, so that
   * a recording that moves into the queue meanwhile is not missed.
   */
  async #sendReport(coverages: readonly CameraCoverage[]): Promise<void> {
    const queued = Map.groupBy(await this.#parts.queue.readWaitingEntries(), getDeviceId)
    const cameras = coverages.map(({ device_id, spans, waiting }) => {
      const clipIntervals = (queued.get(device_id) ?? []).flatMap((entry) =>
        listClipIntervals(this.#parts.library, entry),
      )
      return { device_id, spans, waiting: limitIntervals([...clipIntervals, ...waiting].sort(([a], [b]) => a - b)) }
    })
    this.#parts.send({ type: 'watched', cameras })
  }
}

/** Returns the parts of a camera's coverage that trigger an immediate report when they change. */
const getChangeKey = ({ device_id, spans, waiting }: CameraCoverage) => [
  device_id,
  spans.map(([from, , kind]) => [from, kind]),
  waiting.length,
]

const getDeviceId = (entry: QueuedRecording) => ('kind' in entry ? entry.event.device_id : entry.device_id)

/** Returns the intervals that a recording covers; empty if it has no clip or its scene no longer exists. */
function listClipIntervals(library: SceneLibrary, entry: QueuedRecording): Interval[] {
  if ('kind' in entry) return entry.clip ? [[Math.round(entry.clip.begin), Math.round(entry.clip.end)]] : []
  try {
    return buildVirtualEvent(library, entry).event_resources.map(({ begin_time, end_time }) => [begin_time, end_time])
  } catch {
    return []
  }
}

function limitIntervals(intervals: readonly Interval[]): Interval[] {
  const rest = intervals.slice(MAX_WAITING_INTERVALS - 1)
  if (rest.length < 2) return [...intervals]
  const from = rest[0]?.[0] ?? 0
  return [...intervals.slice(0, MAX_WAITING_INTERVALS - 1), [from, Math.max(...rest.map(([, to]) => to))]]
}
