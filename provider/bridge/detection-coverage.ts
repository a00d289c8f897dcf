import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { cameraCoverage, type CameraCoverage } from '../../contract/bridge/bridge-protocol.ts'
import { deviceId } from '../../contract/wire/envelope.ts'
import { lenientArray, parseJsonAs } from '../../contract/wire/lenient-parse.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import type { Env } from '../env.ts'
import { compareCameraCoverage, type StoredCoverage } from '../events/timeline/detection-gap-rows.ts'

/**
 * Minimum interval between writes of coverage reports, which arrive at least every 10 s. Hibernation loses reports that
 * are not yet written.
 */
const WRITE_INTERVAL_MS = 60_000

const storedCoverage = lenientArray(
  v.object({
    device_id: deviceId,
    present: cameraCoverage.entries.spans.pipe[0].item,
    waiting: cameraCoverage.entries.waiting,
  }),
)

/**
 * Detection coverage of a bridge's cameras, as last reported by the bridge. Stores each coverage gap in the home of its
 * camera.
 */
export class BridgeDetectionCoverage {
  readonly #sql: SqlStorage
  readonly #env: Env
  #cameras: Map<string, StoredCoverage> | undefined
  #writtenAt = 0
  /** Time at which the bridge connected, ms UTC; null if the time is unknown or the bridge does not report coverage. */
  #since: number | null = null

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.#env = env
  }

  #loadCameras(): Map<string, StoredCoverage> {
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
    cameras: readonly CameraCoverage[],
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
      if (watched) watchedCameras.set(camera.device_id, watched)
      if (gaps.length > 0) gapWrites.push(homeStub(this.#env, homeId).recordGaps(camera.device_id, gaps))
    }
    if (now - this.#writtenAt >= WRITE_INTERVAL_MS) this.write(now)
    await Promise.all(gapWrites)
  }

  /**
   * Returns the coverage of the given cameras. For a camera without a report, returns an empty span at the time when
   * the bridge connected. Omits a camera without a report if `#since` is null.
   */
  getCoverage(ids: readonly string[]): StoredCoverage[] {
    const since = this.#since
    const toDefaultCoverage = (device_id: string) =>
      since === null ? [] : ({ device_id, present: [since, since, 'watched'], waiting: [] } satisfies StoredCoverage)
    return ids.flatMap((id) => this.#loadCameras().get(id) ?? toDefaultCoverage(id))
  }

  /**
   * Handles the hello message of the bridge. Deletes the stored coverage if the bridge does not report coverage, as in
   * older bridge versions.
   */
  handleHello(reportsCoverage: boolean, now: number): void {
    this.#since = reportsCoverage ? now : null
    if (reportsCoverage || this.#loadCameras().size === 0) return
    this.#cameras = new Map()
    this.write(0)
  }

  write(now: number): void {
    if (!this.#cameras) return
    this.#writtenAt = now
    this.#sql.exec(
      'INSERT INTO watched (one, cameras) VALUES (1, ?1) ON CONFLICT DO UPDATE SET cameras = ?1',
      JSON.stringify([...this.#cameras.values()]),
    )
  }
}
