import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { cameraCoverage, type CoverageMessage } from '../../contract/bridge/detection-coverage.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'
import { deviceId, timestampMs } from '../../contract/wire/envelope.ts'
import { lenientArray, parseJsonAs } from '../../contract/wire/lenient-parse.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import type { Env } from '../env.ts'
import { compareCameraCoverage, type StoredCoverage } from '../events/timeline/detection-gap-rows.ts'

/**
 * Minimum interval between writes of reports that are not settled, which arrive every 10 s. Hibernation loses reports
 * that are not yet written.
 */
const WRITE_INTERVAL_MS = 60_000
/** Extension by heartbeats above which `storeConfirmed` writes, so that a crash loses at most this time. */
const MIN_STORED_EXTENSION_MS = 10 * MINUTE_MS

const storedCoverage = lenientArray(
  v.object({
    device_id: deviceId,
    present: cameraCoverage.entries.spans.pipe[0].item,
    waiting: cameraCoverage.entries.waiting,
    lag_ms: cameraCoverage.entries.lag_ms,
    reported_at: v.optional(timestampMs),
  }),
)
/** `reported_at`: time of the report that contained `lag_ms`, ms UTC. */
type ReportedCoverage = StoredCoverage & {
  readonly lag_ms?: number | undefined
  readonly reported_at?: number | undefined
}

/**
 * Detection coverage of a bridge's cameras, as last reported by the bridge. Stores each coverage gap in the home of its
 * camera.
 */
export class BridgeDetectionCoverage {
  readonly #sql: SqlStorage
  readonly #env: Env
  #cameras: Map<string, ReportedCoverage> | undefined
  #writtenAt = 0
  /** Time at which the bridge connected, ms UTC; null if the time is unknown or the bridge does not report coverage. */
  #since: number | null = null

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.#env = env
  }

  #loadCameras(): Map<string, ReportedCoverage> {
    if (this.#cameras) return this.#cameras
    const [row] = this.#sql.exec<{ cameras: string }>('SELECT cameras FROM watched').toArray()
    this.#cameras = new Map(
      (parseJsonAs(storedCoverage, row?.cameras) ?? []).map((camera) => [camera.device_id, camera]),
    )
    return this.#cameras
  }

  /**
   * Handles a coverage report. `findHomeId` returns the home of a camera of this bridge, or null for any other camera.
   */
  async handleReport(
    { cameras, settled }: Pick<CoverageMessage, 'cameras' | 'settled'>,
    findHomeId: (deviceId: string) => string | null,
    now: number,
  ): Promise<void> {
    const watchedCameras = this.#loadCameras()
    const gapWrites: Promise<void>[] = []
    for (const camera of cameras) {
      const homeId = findHomeId(camera.device_id)
      if (homeId === null) continue
      const { gaps, watched } = compareCameraCoverage(watchedCameras.get(camera.device_id), camera, {
        now,
        since: this.#since,
      })
      if (watched)
        watchedCameras.set(camera.device_id, { ...toStored(watched), lag_ms: camera.lag_ms, reported_at: now })
      if (gaps.length > 0) gapWrites.push(homeStub(this.#env, homeId).recordGaps(camera.device_id, gaps))
    }
    if (settled === true || now - this.#writtenAt >= WRITE_INTERVAL_MS) this.#write(now)
    await Promise.all(gapWrites)
  }

  /**
   * Returns the coverage of the given cameras. For a camera without a report, returns an empty span at the time when
   * the bridge connected. Omits a camera without a report if `#since` is null. `heardAt`: time of the last message on
   * the current connection, ms UTC; null while disconnected.
   */
  getCoverage(ids: readonly string[], heardAt: number | null): StoredCoverage[] {
    const since = this.#since
    const toDefaultCoverage = (device_id: string) =>
      since === null ? [] : ({ device_id, present: [since, since, 'watched'], waiting: [] } satisfies StoredCoverage)
    return ids.flatMap((id) => {
      const camera = this.#loadCameras().get(id)
      return camera ? toStored(extendCoverage(camera, heardAt)) : toDefaultCoverage(id)
    })
  }

  /**
   * Handles the hello message of the bridge. Deletes the stored coverage if the bridge does not report coverage, as in
   * older bridge versions. `lastContact`: end of the previous connection according to the bridge, ms UTC.
   */
  handleHello(reportsCoverage: boolean, lastContact: number | undefined, now: number): void {
    this.#since = reportsCoverage ? now : null
    if (reportsCoverage) return this.endConnection(Math.min(lastContact ?? 0, now))
    if (this.#loadCameras().size === 0) return
    this.#cameras = new Map()
    this.#write(0)
  }

  /** Stores what the messages up to `heardAt` confirmed. Later messages confirm nothing, until the next report. */
  endConnection(heardAt: number): void {
    const cameras = [...this.#loadCameras().values()]
    if (this.#writtenAt === 0 && cameras.every(({ lag_ms }) => lag_ms === undefined)) return
    this.#cameras = new Map(cameras.map((camera) => [camera.device_id, toStored(extendCoverage(camera, heardAt))]))
    this.#write(heardAt)
  }

  /** Stores what heartbeats confirmed since the last write, if that is much. */
  storeConfirmed(heardAt: number | null): void {
    const cameras = [...this.#loadCameras().values()]
    const extended = cameras.map((camera) => extendCoverage(camera, heardAt))
    if (extended.every(({ present }, i) => present[1] - (cameras[i]?.present[1] ?? 0) < MIN_STORED_EXTENSION_MS)) return
    this.#cameras = new Map(extended.map((camera) => [camera.device_id, camera]))
    this.#write(Date.now())
  }

  #write(now: number): void {
    if (!this.#cameras) return
    this.#writtenAt = now
    this.#sql.exec(
      'INSERT INTO watched (one, cameras) VALUES (1, ?1) ON CONFLICT DO UPDATE SET cameras = ?1',
      JSON.stringify([...this.#cameras.values()]),
    )
  }
}

const toStored = ({ device_id, present, waiting }: StoredCoverage): StoredCoverage => ({ device_id, present, waiting })

/** Extends the last span to what the bridge confirmed by its last message at `heardAt`, ms UTC. */
function extendCoverage(camera: ReportedCoverage, heardAt: number | null): ReportedCoverage {
  const { lag_ms, reported_at, present } = camera
  if (heardAt === null || lag_ms === undefined || reported_at === undefined || heardAt < reported_at) return camera
  const [from, to, kind] = present
  return { ...camera, present: [from, Math.max(to, heardAt - lag_ms), kind] }
}
