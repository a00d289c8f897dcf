import type { BridgeMessage } from '../contract/bridge/bridge-protocol.ts'
import { COVERAGE_REPORT_INTERVAL_MS, type CameraCoverage } from '../contract/bridge/detection-coverage.ts'
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
/** Steps: time by which the coverage of a camera may end before now, and the `lag_ms` of its reports. */
const LAGS = [
  [1000, 4000],
  [12_000, 15_000],
] as const
/** Time, ms, by which the coverage of a camera exceeds what the messages confirm: longer than two ticks. */
const LAG_MARGIN_MS = 2500

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
 * removed, otherwise every `COVERAGE_REPORT_INTERVAL_MS`. If the provider supports that, heartbeats confirm a settled
 * report instead: no recording is in progress, and the coverage of each camera grows steadily or not at all.
 */
export class DetectionCoverageReport {
  readonly #parts: ReportParts
  #lastReportedState = ''
  #sentAt = -Infinity
  #isSending = false
  #confirmsCoverage = false
  #isSettled = false
  /** Last report per camera: end of the last span, ms UTC, and `lag_ms`. */
  #reported = new Map<string, { readonly end: number; readonly lagMs: number | undefined }>()

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  /** `confirmsCoverage`: true if heartbeats confirm settled reports for the provider. Default: as before. */
  requestReport(confirmsCoverage = this.#confirmsCoverage): void {
    this.#confirmsCoverage = confirmsCoverage
    this.#isSettled = false
    this.#sentAt = -Infinity
  }

  /** Sends a report if one is due. Must be called every second. */
  async tick(): Promise<void> {
    if (this.#isSending) return
    const now = this.#parts.clock.now()
    const coverages = this.#readCoverage(now)
    const state = JSON.stringify([this.#parts.queue.revision, coverages.map(getChangeKey)])
    const isCurrent = this.#isSettled
      ? coverages.every((coverage) => this.#isConfirmed(coverage, now))
      : performance.now() - this.#sentAt < COVERAGE_REPORT_INTERVAL_MS
    if (state === this.#lastReportedState && isCurrent) return
    this.#isSending = true
    this.#lastReportedState = state
    this.#sentAt = performance.now()
    try {
      await this.#sendReport(coverages, now)
    } finally {
      this.#isSending = false
    }
  }

  #readCoverage(now: number): CameraCoverage[] {
    return [...this.#parts.units].map(([device_id, unit]) => ({ device_id, ...unit.getDetectionCoverage(now) }))
  }

  /**
   * Adds the queued recordings to `coverages` and sends the report. `coverages` must be read before the queue, so that
   * a recording that moves into the queue meanwhile is not missed.
   */
  async #sendReport(coverages: readonly CameraCoverage[], now: number): Promise<void> {
    const lags = coverages.map((coverage) => (this.#confirmsCoverage ? findLag(coverage, now) : undefined))
    this.#isSettled =
      this.#confirmsCoverage &&
      coverages.every(
        ({ device_id, spans, waiting }, i) =>
          waiting.length === 0 &&
          (lags[i] !== undefined || this.#reported.get(device_id)?.end === getCoverageEnd(spans)),
      )
    this.#reported = new Map(
      coverages.map(({ device_id, spans }, i) => [device_id, { end: getCoverageEnd(spans), lagMs: lags[i] }]),
    )
    const settled = this.#isSettled
    const queued = Map.groupBy(await this.#parts.queue.readWaitingEntries(), getDeviceId)
    const cameras = coverages.map(({ device_id, spans, waiting }, i) => {
      const clipIntervals = (queued.get(device_id) ?? []).flatMap((entry) =>
        listClipIntervals(this.#parts.library, entry),
      )
      const all = limitIntervals([...clipIntervals, ...waiting].sort(([a], [b]) => a - b))
      return { device_id, spans, waiting: all, ...(lags[i] !== undefined && { lag_ms: lags[i] }) }
    })
    this.#parts.send({ type: 'watched', cameras, ...(settled && { settled }) })
  }

  #isConfirmed({ device_id, spans }: CameraCoverage, now: number): boolean {
    const reported = this.#reported.get(device_id)
    const end = getCoverageEnd(spans)
    return reported?.lagMs === undefined ? reported?.end === end : now - end <= reported.lagMs - LAG_MARGIN_MS
  }
}

const getCoverageEnd = (spans: CameraCoverage['spans']): number => spans.at(-1)?.[1] ?? 0

/** Returns the `lag_ms` of a camera; undefined if its coverage does not grow steadily. */
function findLag({ spans, waiting }: CameraCoverage, now: number): number | undefined {
  const behindMs = now - getCoverageEnd(spans)
  return waiting.length > 0 ? undefined : LAGS.find(([limit]) => behindMs <= limit)?.[1]
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
