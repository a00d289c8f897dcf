import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { watchedCamera, type WatchedCamera } from '../../contract/bridge/bridge-protocol.ts'
import { deviceId } from '../../contract/wire/envelope.ts'
import { readableArray, readJson } from '../../contract/wire/lenient-parse.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import type { Env } from '../env.ts'
import { compareWatched, type Watched } from '../events/timeline/detection-gap-rows.ts'

/**
 * Interval, ms, at which coverage reports are written; they arrive every few seconds. Reports since the last write are
 * lost on hibernation.
 */
const WRITTEN_MS = 60_000

const stored = readableArray(
  v.object({
    device_id: deviceId,
    present: watchedCamera.entries.spans.pipe[0].item,
    waiting: watchedCamera.entries.waiting,
  }),
)

/**
 * Detection coverage of a bridge's cameras, as last reported by the bridge. Stores coverage gaps in the cameras' homes.
 */
export class BridgeWatched {
  private readonly sql: SqlStorage
  private readonly env: Env
  private cameras: Map<string, Watched> | undefined
  private writtenAt = 0
  /**
   * Time, ms UTC, at which a bridge that reports coverage connected; null if the time is unknown or the bridge does not
   * report.
   */
  private since: number | null = null

  constructor(sql: SqlStorage, env: Env) {
    this.sql = sql
    this.env = env
  }

  private loadCameras(): Map<string, Watched> {
    if (this.cameras) return this.cameras
    const [row] = this.sql.exec<{ cameras: string }>('SELECT cameras FROM watched').toArray()
    this.cameras = new Map((readJson(stored, row?.cameras) ?? []).map((camera) => [camera.device_id, camera]))
    return this.cameras
  }

  /** Handles a coverage report. `homeOf` returns the home of a camera of this bridge, or null for any other camera. */
  async hear(
    cameras: readonly WatchedCamera[],
    homeOf: (deviceId: string) => string | null,
    now: number,
  ): Promise<void> {
    const watchedCameras = this.loadCameras()
    const notes: Promise<void>[] = []
    for (const camera of cameras) {
      const homeId = homeOf(camera.device_id)
      if (homeId === null) continue
      const { gaps, watched } = compareWatched(watchedCameras.get(camera.device_id), camera, { now, since: this.since })
      if (watched) watchedCameras.set(camera.device_id, watched)
      if (gaps.length > 0) notes.push(homeStub(this.env, homeId).recordGaps(camera.device_id, gaps))
    }
    if (now - this.writtenAt >= WRITTEN_MS) this.write(now)
    await Promise.all(notes)
  }

  /**
   * Returns the coverage of the given cameras. A camera not yet reported counts as covered since the bridge connected;
   * it is omitted if the bridge does not report coverage.
   */
  of(ids: readonly string[]): Watched[] {
    const { since } = this
    const none = (device_id: string) =>
      since === null ? [] : ({ device_id, present: [since, since, 'watched'], waiting: [] } satisfies Watched)
    return ids.flatMap((id) => this.loadCameras().get(id) ?? none(id))
  }

  /**
   * Handles a bridge's hello at `now`. `tells`: the bridge reports coverage. An older bridge does not, so its stored
   * coverage is deleted.
   */
  greet(tells: boolean, now: number): void {
    this.since = tells ? now : null
    if (tells || this.loadCameras().size === 0) return
    this.cameras = new Map()
    this.write(0)
  }

  write(now: number): void {
    if (!this.cameras) return
    this.writtenAt = now
    this.sql.exec(
      'INSERT INTO watched (one, cameras) VALUES (1, ?1) ON CONFLICT DO UPDATE SET cameras = ?1',
      JSON.stringify([...this.cameras.values()]),
    )
  }
}
