import type { SqlStorage } from '@cloudflare/workers-types'
import type { CameraState, SignalIn, SignalOut } from '../../contract/signalling.ts'
import type { Env } from '../env.ts'
import { homeStub } from '../home/lookup.ts'

/** home_id is null for a camera that the bridge has spoken of, but not registered. */
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
]

const AWAY = { state: 'bridge_off', reason: 'The bridge at home is not connected.' } as const
const SILENT = { state: 'offline', reason: 'The camera has not answered yet.' } as const
/** Unregistered cameras are remembered up to this many, so that no bridge can fill the storage. */
const CAMERAS_MAX = 500

type Row = { device_id: string; home_id: string | null; state: CameraState; reason: string; since: number }

/** What a bridge said of its cameras; every change goes to the camera's viewers and to the home. */
export class BridgeCameras {
  private readonly sql: SqlStorage
  private readonly env: Env
  /** One stub a camera for all messages: calls on it arrive in the order they are made. */
  private readonly stubs = new Map<string, ReturnType<Env['CAMERAS']['getByName']>>()

  constructor(sql: SqlStorage, env: Env) {
    this.sql = sql
    this.env = env
  }

  private find(deviceId: string): Row | null {
    return this.sql.exec<Row>('SELECT * FROM cameras WHERE device_id = ?', deviceId).toArray()[0] ?? null
  }

  private stub(deviceId: string) {
    const known = this.stubs.get(deviceId) ?? this.env.CAMERAS.getByName(deviceId)
    this.stubs.set(deviceId, known)
    return known
  }

  /** Sets a camera's state; the same state again keeps its beginning. */
  async setState(deviceId: string, state: CameraState, reason: string, since: number): Promise<void> {
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
    if (former?.home_id) await this.tell({ ...former, state, reason, since }, former.home_id)
  }

  private count(): number {
    return this.sql.exec<{ n: number }>('SELECT count(*) AS n FROM cameras').one().n
  }

  private async tell({ device_id, state, reason, since }: Row, homeId: string): Promise<void> {
    await Promise.all([
      this.stub(device_id).setState(state, reason, since),
      homeStub(this.env, homeId).setCameraState({ device_id, state, reason, since }),
    ])
  }

  /** A camera was registered: what is known of it is told, else that it is not heard yet. */
  async add(deviceId: string, homeId: string, connected: boolean, now: number): Promise<void> {
    const spoken = connected ? this.find(deviceId) : null
    const row: Row = { device_id: deviceId, since: now, ...(connected ? SILENT : AWAY), ...spoken, home_id: homeId }
    this.sql.exec(
      'INSERT OR REPLACE INTO cameras (device_id, home_id, state, reason, since) VALUES (?, ?, ?, ?, ?)',
      row.device_id,
      homeId,
      row.state,
      row.reason,
      row.since,
    )
    await this.tell(row, homeId)
  }

  remove(deviceId: string): void {
    this.sql.exec('DELETE FROM cameras WHERE device_id = ?', deviceId)
  }

  /** The bridge is back. A registered camera that it does not speak of is not heard yet. */
  async back(spoken: readonly { device_id: string; state: CameraState; reason: string }[], now: number): Promise<void> {
    const ids = JSON.stringify(spoken.map((camera) => camera.device_id))
    const silent = this.sql.exec<Row>(
      'SELECT * FROM cameras WHERE device_id NOT IN (SELECT value FROM json_each(?))',
      ids,
    )
    const all = [...spoken, ...silent.toArray().map(({ device_id }) => ({ device_id, ...SILENT }))]
    await Promise.all(all.map(({ device_id, state, reason }) => this.setState(device_id, state, reason, now)))
  }

  /** The bridge is gone: none of its cameras can be watched. */
  async away(now: number): Promise<void> {
    const rows = this.sql.exec<Row>('SELECT * FROM cameras WHERE state <> ?', AWAY.state).toArray()
    await Promise.all(rows.map((row) => this.setState(row.device_id, AWAY.state, AWAY.reason, now)))
  }

  /** Passes a message of the bridge on to a viewer, when the camera is one of this bridge. */
  async deliver(deviceId: string, viewerId: string, message: SignalOut): Promise<void> {
    if (!this.find(deviceId)?.home_id) return
    const signal: SignalIn = { messageType: message.action, messagePayload: message.messagePayload }
    await this.stub(deviceId).deliver(viewerId, signal)
  }

  /** Who is watching each registered camera. */
  async viewers(): Promise<{ device_id: string; viewers: string[] }[]> {
    const rows = this.sql.exec<Row>('SELECT * FROM cameras WHERE home_id IS NOT NULL').toArray()
    return Promise.all(
      rows.map(async ({ device_id }) => ({ device_id, viewers: await this.stub(device_id).viewers() })),
    )
  }
}
