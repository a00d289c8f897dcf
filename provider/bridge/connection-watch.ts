import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { CLOSE_SILENT } from '../../contract/wire/socket-close-codes.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'
import type { BridgeCameraStates } from './bridge-camera-states.ts'
import { type ControlSocket, HEARTBEAT_TIMEOUT_MS, readSocketState } from './control-socket.ts'

/**
 * Interval between the alarms that check a connection while no passive page is open. Each check costs an alarm and a
 * written row.
 */
export const IDLE_CHECK_INTERVAL_MS = 15 * MINUTE_MS
/** Time for which a passive page is assumed to stay open. Then `hasPassivePages` checks again. */
const WATCH_LEASE_MS = 2 * MINUTE_MS

interface ConnectionWatchParts {
  readonly storage: Pick<DurableObjectState['storage'], 'getAlarm' | 'setAlarm'>
  readonly control: Pick<ControlSocket, 'getSocket' | 'getLastHeardAt' | 'changeState'>
  readonly cameras: Pick<
    BridgeCameraStates,
    'readLastContact' | 'recordContact' | 'readCheckInterval' | 'storeCheckInterval' | 'hasPassivePages'
  >
  /** Handles the end of the connection. `since`: time of the last contact, ms UTC. */
  readonly handleDisconnect: (since: number) => Promise<void>
}

/**
 * Notices that a bridge fell silent without closing its socket: after `HEARTBEAT_TIMEOUT_MS` at every read and check of a
 * page, and by an alarm while a passive page is open, one that sends no checks. Otherwise within
 * `IDLE_CHECK_INTERVAL_MS`. In each case, the connection ends at the last heartbeat.
 */
export class ConnectionWatch {
  readonly #parts: ConnectionWatchParts
  /** Resolves when the end of the connection is stored; null if no end is being stored. */
  #storedEnd: Promise<void> | null = null

  constructor(parts: ConnectionWatchParts) {
    this.#parts = parts
  }

  /** Schedules the first check of a new connection. That check finds out if a passive page is open. */
  async start(now: number): Promise<void> {
    await this.#parts.storage.setAlarm(now + HEARTBEAT_TIMEOUT_MS)
  }

  /**
   * Ends the connection if the bridge has been silent for too long. Also waits for an end that another check has found,
   * because its caller reads the stored states of the cameras next. `now`: ms UTC.
   */
  async check(now: number): Promise<void> {
    const { control } = this.#parts
    const socket = control.getSocket()
    if (!socket) return this.#storedEnd ?? undefined
    const lastHeardAt = control.getLastHeardAt(socket)
    if (now - lastHeardAt < HEARTBEAT_TIMEOUT_MS) return
    control.changeState(socket, { hasEnded: true })
    socket.close(CLOSE_SILENT, 'No heartbeat for 25 s.')
    this.#storedEnd = this.#parts.handleDisconnect(lastHeardAt)
    try {
      await this.#storedEnd
    } finally {
      this.#storedEnd = null
    }
  }

  /** Checks the connection for a reader. Returns the time, ms, in which no other check can find silence. */
  async checkForReader(now: number): Promise<number> {
    await this.check(now)
    const { control, storage } = this.#parts
    const socket = control.getSocket()
    if (socket) return control.getLastHeardAt(socket) + HEARTBEAT_TIMEOUT_MS - now
    await this.#limitReconnectTime(await storage.getAlarm(), now)
    return HEARTBEAT_TIMEOUT_MS
  }

  /** Checks the connection now and, because a passive page was opened, every `HEARTBEAT_TIMEOUT_MS`. `now`: ms UTC. */
  async startFrequentChecks(now: number): Promise<void> {
    await this.check(now)
    const { control, storage, cameras } = this.#parts
    const dueAt = await storage.getAlarm()
    const socket = control.getSocket()
    if (!socket) return this.#limitReconnectTime(dueAt, now)
    control.changeState(socket, { watchedUntil: now + WATCH_LEASE_MS })
    const checkAt = control.getLastHeardAt(socket) + HEARTBEAT_TIMEOUT_MS
    cameras.storeCheckInterval(HEARTBEAT_TIMEOUT_MS)
    if (dueAt === null || dueAt > checkAt) await storage.setAlarm(checkAt)
  }

  /** After a restart of the provider, the bridge has `HEARTBEAT_TIMEOUT_MS` to connect again. */
  async #limitReconnectTime(dueAt: number | null, now: number): Promise<void> {
    if (dueAt === null || dueAt <= now + HEARTBEAT_TIMEOUT_MS) return
    this.#parts.cameras.recordContact(this.#getProvenContact(dueAt), null)
    await this.#parts.storage.setAlarm(now + HEARTBEAT_TIMEOUT_MS)
  }

  /** `dueAt`: time for which the alarm was scheduled, ms UTC. */
  async handleAlarm(dueAt: number, now: number): Promise<void> {
    const { control, storage, cameras } = this.#parts
    if (!control.getSocket()) return this.#parts.handleDisconnect(this.#getProvenContact(dueAt))
    await this.check(now)
    const isWatched = await this.#isWatched(now)
    const socket = control.getSocket()
    if (!socket) return
    const intervalMs = isWatched ? HEARTBEAT_TIMEOUT_MS : IDLE_CHECK_INTERVAL_MS
    cameras.storeCheckInterval(intervalMs)
    await storage.setAlarm(control.getLastHeardAt(socket) + intervalMs)
  }

  async #isWatched(now: number): Promise<boolean> {
    const { control, cameras } = this.#parts
    const socket = control.getSocket()
    if (!socket || (readSocketState(socket).watchedUntil ?? 0) > now) return socket !== null
    /* If a home cannot be reached, assume a passive page. */
    const isWatched = await cameras.hasPassivePages().catch(() => true)
    if (isWatched) control.changeState(socket, { watchedUntil: now + WATCH_LEASE_MS })
    return isWatched
  }

  /** Returns the end of a connection whose socket closed at `now`: earlier if the bridge had been silent before. */
  getEnd(socket: WorkerSocket, now: number): number {
    const lastHeardAt = this.#parts.control.getLastHeardAt(socket)
    return now - lastHeardAt < HEARTBEAT_TIMEOUT_MS ? now : lastHeardAt
  }

  /** Returns the time of the last contact, ms UTC; null for none. */
  async readLastContact(): Promise<number | null> {
    const { control, storage, cameras } = this.#parts
    const socket = control.getSocket()
    if (socket) return control.getLastHeardAt(socket)
    const dueAt = await storage.getAlarm()
    const contact = cameras.readLastContact()?.heard ?? null
    return dueAt === null || contact === null ? contact : this.#getProvenContact(dueAt)
  }

  /**
   * Returns the latest contact that the storage proves after a restart: each check sets the alarm to at most the stored
   * interval after a contact.
   */
  #getProvenContact(dueAt: number): number {
    const { cameras } = this.#parts
    const intervalMs = cameras.readCheckInterval() ?? IDLE_CHECK_INTERVAL_MS
    return Math.max(cameras.readLastContact()?.heard ?? 0, dueAt - intervalMs)
  }
}
