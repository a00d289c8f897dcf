import type { CameraState } from '../../contract/cameras/devices.ts'
import type { SqlStorage } from '@cloudflare/workers-types'
import type { SignalToService } from '../../contract/live/viewer-messages.ts'
import type { SignalFromService } from '../../contract/live/signaling.ts'
import type { Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { HEARTBEAT_TIMEOUT_MS } from './control-socket.ts'
import { type TokenBucketLimits, TokenBucket } from '../../contract/wire/token-bucket.ts'
import { getObject } from '../platform/objects.ts'

/** SQL schema steps. `home_id` is null for a camera that the bridge has reported but not registered. */
export const BRIDGE_SCHEMA: readonly string[] = [
  `
  CREATE TABLE cameras (
    device_id TEXT PRIMARY KEY,
    home_id TEXT,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    since INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  /* heard: time of the last contact, written at each hello and at the end of each connection. */
  'CREATE TABLE self (one INTEGER PRIMARY KEY CHECK (one = 1), version TEXT, heard INTEGER NOT NULL);',
  /* cameras: detection coverage of each camera, as JSON (detection-coverage.ts). */
  'CREATE TABLE watched (one INTEGER PRIMARY KEY CHECK (one = 1), cameras TEXT NOT NULL);',
  /* check_ms: maximum time from the last contact to the alarm (connection-watch.ts), null for 15 minutes. */
  'ALTER TABLE self ADD COLUMN check_ms INTEGER;',
]

const BRIDGE_DISCONNECTED = { state: 'bridge_off', reason: 'The camera’s hub isn’t connected.' } as const
const BRIDGE_REMOVED = { state: 'bridge_off', reason: 'The hub was removed from this home.' } as const
const NO_RESPONSE_STATE = { state: 'offline', reason: 'The camera hasn’t responded yet.' } as const
/**
 * Maximum number of stored cameras. Above it, new unregistered cameras are not stored, so that a bridge cannot fill the
 * storage.
 */
const CAMERAS_MAX = 500

type CameraStateRow = { device_id: string; home_id: string | null; state: CameraState; reason: string; since: number }
interface CameraStateChange {
  state: CameraState
  reason: string
  /** Start of the state, ms UTC. */
  since: number
  /**
   * Time at which the state history records the change, ms UTC. Later than `since` if the provider learned of the
   * change late.
   */
  from: number
}
export interface ReportedCamera {
  device_id: string
  state: CameraState
  reason: string
  since?: number | undefined
}

/** Rate limit of state changes per camera. After a burst, only the newest change is published once the limit allows. */
const CHANGE_RATE_LIMIT: TokenBucketLimits = { burst: 10, perSecond: 1 }

/** Camera states reported by a bridge. Publishes changes of registered cameras to their viewers and homes. */
export class BridgeCameraStates {
  readonly #sql: SqlStorage
  readonly #env: Env
  /** One stub per camera. Only calls of the same stub arrive in order. */
  readonly #stubs = new Map<string, ReturnType<Env['CAMERAS']['getByName']>>()
  readonly #rateLimits = new Map<string, TokenBucket>()
  readonly #pendingChanges = new Map<string, CameraStateChange>()

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.#env = env
  }

  #find(deviceId: string): CameraStateRow | null {
    return this.#sql.exec<CameraStateRow>('SELECT * FROM cameras WHERE device_id = ?', deviceId).toArray()[0] ?? null
  }

  #getCameraStub(deviceId: string) {
    const stub = this.#stubs.get(deviceId) ?? getObject(this.#env, 'CAMERAS', deviceId)
    this.#stubs.set(deviceId, stub)
    return stub
  }

  has(deviceId: string): boolean {
    return Boolean(this.findHomeId(deviceId))
  }

  /** Returns the home of a camera; null if this bridge has not registered the camera. */
  findHomeId(deviceId: string): string | null {
    return this.#find(deviceId)?.home_id ?? null
  }

  /**
   * Handles a camera state report. If a registered camera exceeds `CHANGE_RATE_LIMIT`, stores and publishes only its
   * newest change, once the limit allows.
   */
  async handleStateReport(deviceId: string, change: CameraStateChange, now: number): Promise<void> {
    if (!this.has(deviceId)) return this.setState(deviceId, change)
    const rateLimit = this.#rateLimits.get(deviceId) ?? new TokenBucket(CHANGE_RATE_LIMIT, now)
    this.#rateLimits.set(deviceId, rateLimit)
    const isWaiting = this.#pendingChanges.has(deviceId)
    if (!isWaiting && rateLimit.consume(now)) return this.setState(deviceId, change)
    this.#pendingChanges.set(deviceId, change)
    if (!isWaiting) setTimeout(() => void this.#flushPendingChange(deviceId, rateLimit), rateLimit.getWaitMs(now))
  }

  async #flushPendingChange(deviceId: string, rateLimit: TokenBucket): Promise<void> {
    const change = this.#pendingChanges.get(deviceId)
    this.#pendingChanges.delete(deviceId)
    rateLimit.consume(Date.now())
    if (change) await this.setState(deviceId, change)
  }

  /**
   * Stores a camera's state, and publishes it if the camera is registered. Does nothing if state and reason are
   * unchanged, so that the start time stays.
   */
  async setState(deviceId: string, change: CameraStateChange): Promise<void> {
    const { state, reason, since } = change
    const previous = this.#find(deviceId)
    if (previous?.state === state && previous.reason === reason) return
    if (!previous && this.#count() >= CAMERAS_MAX) return
    this.#sql.exec(
      `INSERT INTO cameras (device_id, state, reason, since) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET state = ?2, reason = ?3, since = ?4`,
      deviceId,
      state,
      reason,
      since,
    )
    if (previous?.home_id) await this.#publishState(deviceId, previous.home_id, change)
  }

  #count(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM cameras').one().n
  }

  async #publishState(
    deviceId: string,
    homeId: string,
    { state, reason, since, from }: CameraStateChange,
  ): Promise<void> {
    await Promise.all([
      this.#getCameraStub(deviceId).setState(state, reason, since),
      homeStub(this.#env, homeId).setCameraState({ device_id: deviceId, state, reason, since, from }),
    ])
  }

  /**
   * Adds a registered camera and publishes its state. If the bridge is connected, the state is the last reported one,
   * or `NO_RESPONSE_STATE` without a report. Otherwise the state is `BRIDGE_DISCONNECTED`.
   */
  async add(deviceId: string, homeId: string, isConnected: boolean, now: number): Promise<void> {
    const reported = isConnected ? this.#find(deviceId) : null
    const row: CameraStateRow = {
      device_id: deviceId,
      since: now,
      ...(isConnected ? NO_RESPONSE_STATE : BRIDGE_DISCONNECTED),
      ...reported,
      home_id: homeId,
    }
    this.#sql.exec(
      'INSERT OR REPLACE INTO cameras (device_id, home_id, state, reason, since) VALUES (?, ?, ?, ?, ?)',
      row.device_id,
      homeId,
      row.state,
      row.reason,
      row.since,
    )
    await this.#publishState(deviceId, homeId, { ...row, from: now })
  }

  remove(deviceId: string): void {
    this.#sql.exec('DELETE FROM cameras WHERE device_id = ?', deviceId)
  }

  /**
   * Restores the camera states after a reconnect. Sets each camera that `reported` does not contain to
   * `NO_RESPONSE_STATE`. `lastContact`: end of the previous connection according to the bridge, ms UTC.
   */
  async restoreStates(
    reported: readonly ReportedCamera[],
    now: number,
    lastContact: number | undefined,
  ): Promise<void> {
    if (lastContact !== undefined && lastContact <= now) await this.#correctDisconnect(lastContact, now)
    const ids = JSON.stringify(reported.map((camera) => camera.device_id))
    const unreported = this.#sql.exec<CameraStateRow>(
      'SELECT * FROM cameras WHERE device_id NOT IN (SELECT value FROM json_each(?))',
      ids,
    )
    const all: ReportedCamera[] = [
      ...reported,
      ...unreported.toArray().map(({ device_id }) => ({ device_id, ...NO_RESPONSE_STATE })),
    ]
    await Promise.all(
      all.map(({ device_id, state, reason, since = now }) =>
        this.setState(device_id, { state, reason, since: Math.min(since, now), from: now }),
      ),
    )
  }

  /**
   * Corrects the end of the previous connection. After a restart of the provider, the stored end may be too early, or
   * missing. `lastContact`: exact end, ms UTC.
   */
  async #correctDisconnect(lastContact: number, now: number): Promise<void> {
    const { state } = BRIDGE_DISCONNECTED
    const tooEarly = this.#sql.exec<CameraStateRow>(
      'SELECT * FROM cameras WHERE state = ? AND since < ? AND home_id IS NOT NULL',
      state,
      lastContact,
    )
    const corrections = tooEarly.toArray().map(async ({ device_id, home_id }) => {
      await homeStub(this.#env, home_id ?? '').moveStateStart(device_id, state, lastContact)
    })
    await Promise.all(corrections)
    if (now - lastContact > HEARTBEAT_TIMEOUT_MS) await this.markUnavailable(lastContact)
  }

  /** Marks all cameras as unavailable. `since`: end of the connection, ms UTC. */
  async markUnavailable(since: number): Promise<void> {
    this.#pendingChanges.clear()
    const rows = this.#sql
      .exec<CameraStateRow>('SELECT * FROM cameras WHERE state <> ?', BRIDGE_DISCONNECTED.state)
      .toArray()
    await Promise.all(rows.map((row) => this.setState(row.device_id, { ...BRIDGE_DISCONNECTED, since, from: since })))
  }

  /**
   * Marks the cameras of a home as unavailable and deletes their rows, because the bridge no longer serves the home.
   */
  async removeHomeCameras(homeId: string, now: number): Promise<void> {
    const rows = this.#sql.exec<CameraStateRow>('SELECT * FROM cameras WHERE home_id = ?', homeId).toArray()
    await Promise.all(rows.map((row) => this.setState(row.device_id, { ...BRIDGE_REMOVED, since: now, from: now })))
    this.#sql.exec('DELETE FROM cameras WHERE home_id = ?', homeId)
  }

  recordContact(now: number, version: string | null): void {
    this.#sql.exec(
      `INSERT INTO self (one, version, heard) VALUES (1, ?1, ?2)
       ON CONFLICT DO UPDATE SET version = coalesce(?1, version), heard = ?2`,
      version,
      now,
    )
  }

  /** Returns the last recorded contact, ms UTC, and the bridge version; null if there was no contact. */
  readLastContact(): { version: string | null; heard: number } | null {
    return (
      this.#sql.exec<{ version: string | null; heard: number }>('SELECT version, heard FROM self').toArray()[0] ?? null
    )
  }

  /** Returns the stored check interval of the connection, ms; null if none is stored. */
  readCheckInterval(): number | null {
    return this.#sql.exec<{ check_ms: number | null }>('SELECT check_ms FROM self').toArray()[0]?.check_ms ?? null
  }

  /** Writes a row only if the interval changes, which happens when a page opens or all pages have closed. */
  storeCheckInterval(intervalMs: number): void {
    this.#sql.exec('UPDATE self SET check_ms = ?1 WHERE check_ms IS NOT ?1', intervalMs)
  }

  /** Forwards a message of the bridge to a viewer. Ignores the message if this bridge has not registered the camera. */
  async deliver(deviceId: string, viewerId: string, message: SignalToService): Promise<void> {
    if (!this.has(deviceId)) return
    const signal: SignalFromService = { messageType: message.action, messagePayload: message.messagePayload }
    await this.#getCameraStub(deviceId).deliverToViewer(viewerId, signal)
  }

  /** Returns true if a page or viewer is connected that does not request checks of this bridge. */
  async hasPassivePages(): Promise<boolean> {
    const rows = this.#sql.exec<{ home_id: string }>('SELECT DISTINCT home_id FROM cameras WHERE home_id IS NOT NULL')
    const homes = rows.toArray().map(({ home_id }) => homeStub(this.#env, home_id).hasPassivePages())
    if ((await Promise.all(homes)).includes(true)) return true
    const cameras = this.#listRegistered().map((device_id) => this.#getCameraStub(device_id).hasPassiveViewers())
    return (await Promise.all(cameras)).includes(true)
  }

  async listViewers(): Promise<{ device_id: string; viewers: string[] }[]> {
    const cameras = this.#listRegistered().map(async (device_id) => {
      return { device_id, viewers: await this.#getCameraStub(device_id).listViewerIds() }
    })
    return Promise.all(cameras)
  }

  #listRegistered(): string[] {
    const rows = this.#sql.exec<{ device_id: string }>('SELECT device_id FROM cameras WHERE home_id IS NOT NULL')
    return rows.toArray().map(({ device_id }) => device_id)
  }
}
