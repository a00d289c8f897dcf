import type { SqlStorage } from '@cloudflare/workers-types'
import type { SignalOut } from '../../contract/live/viewer-messages.ts'
import type { CameraState, SignalIn } from '../../contract/live/signaling.ts'
import type { Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { type Allowance, TokenBucket } from '../../contract/wire/token-bucket.ts'

/** `home_id` is null for a camera that the bridge has reported but not registered. */
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
  /* heard: time of the last recorded contact, written at each hello and when a connection ends. */
  'CREATE TABLE self (one INTEGER PRIMARY KEY CHECK (one = 1), version TEXT, heard INTEGER NOT NULL);',
  /* cameras: detection coverage of each camera, as JSON (detection-coverage.ts). */
  'CREATE TABLE watched (one INTEGER PRIMARY KEY CHECK (one = 1), cameras TEXT NOT NULL);',
]

const AWAY = { state: 'bridge_off', reason: 'The box at home is not connected.' } as const
const REVOKED = { state: 'bridge_off', reason: 'The box was removed from this home.' } as const
const SILENT = { state: 'offline', reason: 'The camera has not answered yet.' } as const
/** Unregistered cameras are stored only up to this total number of cameras, so that no bridge can fill the storage. */
const CAMERAS_MAX = 500

type Row = { device_id: string; home_id: string | null; state: CameraState; reason: string; since: number }
interface Change {
  state: CameraState
  reason: string
  /** Start of the state, ms UTC. */
  since: number
  /**
   * Time from which the change counts, ms UTC: later than `since` if the provider could not know the change earlier.
   */
  from: number
}
export interface ReportedCamera {
  device_id: string
  state: CameraState
  reason: string
  since?: number | undefined
}

/** Rate limit for changes of one camera: 10 immediately, then one per second, always the newest. */
const CHANGES: Allowance = { burst: 10, perSecond: 1 }

/** Camera states reported by a bridge. Every change is published to the camera's viewers and to the home. */
export class BridgeCameras {
  private readonly sql: SqlStorage
  private readonly env: Env
  /** One stub per camera for all messages, so that calls arrive in order. */
  private readonly stubs = new Map<string, ReturnType<Env['CAMERAS']['getByName']>>()
  private readonly changes = new Map<string, TokenBucket>()
  /** Newest change of each camera that exceeds the rate limit. It is published as soon as the limit allows. */
  private readonly waiting = new Map<string, Change>()

  constructor(sql: SqlStorage, env: Env) {
    this.sql = sql
    this.env = env
  }

  private find(deviceId: string): Row | null {
    return this.sql.exec<Row>('SELECT * FROM cameras WHERE device_id = ?', deviceId).toArray()[0] ?? null
  }

  private stub(deviceId: string) {
    const stub = this.stubs.get(deviceId) ?? this.env.CAMERAS.getByName(deviceId)
    this.stubs.set(deviceId, stub)
    return stub
  }

  has(deviceId: string): boolean {
    return Boolean(this.findHomeId(deviceId))
  }

  /** Returns the home of a camera that this bridge has registered; null for any other. */
  findHomeId(deviceId: string): string | null {
    return this.find(deviceId)?.home_id ?? null
  }

  /**
   * Handles a state report during a connection. A camera that changes constantly is published once per second
   * (`CHANGES`).
   */
  async hearState(deviceId: string, change: Change, now: number): Promise<void> {
    if (!this.has(deviceId)) return this.setState(deviceId, change)
    const budget = this.changes.get(deviceId) ?? new TokenBucket(CHANGES, now)
    this.changes.set(deviceId, budget)
    const isWaiting = this.waiting.has(deviceId)
    if (!isWaiting && budget.consume(now)) return this.setState(deviceId, change)
    this.waiting.set(deviceId, change)
    if (!isWaiting) setTimeout(() => void this.flushPendingChange(deviceId, budget), budget.wait(now))
  }

  private async flushPendingChange(deviceId: string, budget: TokenBucket): Promise<void> {
    const change = this.waiting.get(deviceId)
    this.waiting.delete(deviceId)
    budget.consume(Date.now())
    if (change) await this.setState(deviceId, change)
  }

  /** Sets a camera's state. A repeated report of the same state keeps the start time of that state. */
  async setState(deviceId: string, change: Change): Promise<void> {
    const { state, reason, since } = change
    const former = this.find(deviceId)
    if (former?.state === state && former.reason === reason) return
    if (!former && this.count() >= CAMERAS_MAX) return
    this.sql.exec(
      `INSERT INTO cameras (device_id, state, reason, since) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET state = ?2, reason = ?3, since = ?4`,
      deviceId,
      state,
      reason,
      since,
    )
    if (former?.home_id) await this.publishState(deviceId, former.home_id, change)
  }

  private count(): number {
    return this.sql.exec<{ n: number }>('SELECT count(*) AS n FROM cameras').one().n
  }

  private async publishState(deviceId: string, homeId: string, { state, reason, since, from }: Change): Promise<void> {
    await Promise.all([
      this.stub(deviceId).setState(state, reason, since),
      homeStub(this.env, homeId).setCameraState({ device_id: deviceId, state, reason, since, from }),
    ])
  }

  /**
   * Adds a registered camera and publishes its state: the last reported one, or that the camera has not answered yet,
   * or that the bridge is away.
   */
  async add(deviceId: string, homeId: string, connected: boolean, now: number): Promise<void> {
    const reported = connected ? this.find(deviceId) : null
    const row: Row = { device_id: deviceId, since: now, ...(connected ? SILENT : AWAY), ...reported, home_id: homeId }
    this.sql.exec(
      'INSERT OR REPLACE INTO cameras (device_id, home_id, state, reason, since) VALUES (?, ?, ?, ?, ?)',
      row.device_id,
      homeId,
      row.state,
      row.reason,
      row.since,
    )
    await this.publishState(deviceId, homeId, { ...row, from: now })
  }

  remove(deviceId: string): void {
    this.sql.exec('DELETE FROM cameras WHERE device_id = ?', deviceId)
  }

  /**
   * Restores the camera states after a reconnect. A camera that the bridge does not report becomes offline, because it
   * has not answered yet.
   */
  async back(reported: readonly ReportedCamera[], now: number): Promise<void> {
    const ids = JSON.stringify(reported.map((camera) => camera.device_id))
    const silent = this.sql.exec<Row>(
      'SELECT * FROM cameras WHERE device_id NOT IN (SELECT value FROM json_each(?))',
      ids,
    )
    const all: ReportedCamera[] = [...reported, ...silent.toArray().map(({ device_id }) => ({ device_id, ...SILENT }))]
    await Promise.all(
      all.map(({ device_id, state, reason, since = now }) =>
        this.setState(device_id, { state, reason, since: Math.min(since, now), from: now }),
      ),
    )
  }

  /** Marks all cameras as unavailable since `since`, the end of the connection. */
  async away(since: number): Promise<void> {
    this.waiting.clear()
    const rows = this.sql.exec<Row>('SELECT * FROM cameras WHERE state <> ?', AWAY.state).toArray()
    await Promise.all(rows.map((row) => this.setState(row.device_id, { ...AWAY, since, from: since })))
  }

  /**
   * Marks the cameras of a home as unavailable, because the bridge no longer serves the home, and deletes their rows.
   */
  async leave(homeId: string, now: number): Promise<void> {
    const rows = this.sql.exec<Row>('SELECT * FROM cameras WHERE home_id = ?', homeId).toArray()
    await Promise.all(rows.map((row) => this.setState(row.device_id, { ...REVOKED, since: now, from: now })))
    this.sql.exec('DELETE FROM cameras WHERE home_id = ?', homeId)
  }

  recordContact(now: number, version: string | null): void {
    this.sql.exec(
      `INSERT INTO self (one, version, heard) VALUES (1, ?1, ?2)
       ON CONFLICT DO UPDATE SET version = coalesce(?1, version), heard = ?2`,
      version,
      now,
    )
  }

  /** Returns null if there was no contact. */
  lastHeard(): { version: string | null; heard: number } | null {
    return (
      this.sql.exec<{ version: string | null; heard: number }>('SELECT version, heard FROM self').toArray()[0] ?? null
    )
  }

  /** Forwards a bridge's message to a viewer, if the camera is registered by this bridge. */
  async deliver(deviceId: string, viewerId: string, message: SignalOut): Promise<void> {
    if (!this.has(deviceId)) return
    const signal: SignalIn = { messageType: message.action, messagePayload: message.messagePayload }
    await this.stub(deviceId).deliver(viewerId, signal)
  }

  async viewers(): Promise<{ device_id: string; viewers: string[] }[]> {
    const rows = this.sql.exec<Row>('SELECT * FROM cameras WHERE home_id IS NOT NULL').toArray()
    return Promise.all(
      rows.map(async ({ device_id }) => ({ device_id, viewers: await this.stub(device_id).viewers() })),
    )
  }
}
