import { DurableObject } from 'cloudflare:workers'
import type { AlarmInvocationInfo, DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { readBridgeMessage } from '../../contract/bridge/parse-bridge-messages.ts'
import type { BridgeMessage, ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import { REENROLLED, REPLACED, REVOKED, SILENT } from '../../contract/wire/socket-close-codes.ts'
import type { SignalIn } from '../../contract/live/signaling.ts'
import { Unreadable } from '../../contract/wire/lenient-parse.ts'
import type { Env } from '../env.ts'
import type { Watched } from '../events/timeline/detection-gap-rows.ts'
import { migrateSchema } from '../platform/migrate-schema.ts'
import { OF_BRIDGE, SocketRateLimiter } from '../platform/sockets/socket-rate-limits.ts'
import { openSockets, socketPair, readVerified } from '../platform/sockets/websocket-upgrade.ts'
import { CameraSetupChannel, type DoorAnswer } from './camera-setup-channel.ts'
import { BridgeCameras, BRIDGE_SCHEMA, type ReportedCamera } from './bridge-camera-states.ts'
import { BridgeWatched } from './detection-coverage.ts'
import { PendingRequests } from './pending-requests.ts'
import type { TrialAnswer } from './motion-preview-result.ts'
import { buildWelcome } from './welcome-message.ts'

/** Silence after which a bridge counts as gone; it sends a heartbeat every 10 s. */
const SILENCE_MS = 25_000
const UNREADABLE = 1007
/** Maximum characters of a message. A longer message is cut off, so that it is invalid JSON and is rejected. */
const MESSAGE_MAX = 200_000
const UNANSWERED = 1011

interface Control {
  bridge: string
  /** Number of the connection. If several sockets are open, only the one with the highest number is used. */
  turn: number
  /** Last contact, ms UTC. */
  heard: number
}

/** One bridge: its control socket and last reported camera states. Forwards signaling between bridge and viewers. */
export class Bridge extends DurableObject<Env> {
  private readonly cameras: BridgeCameras
  private readonly watching: BridgeWatched
  /** Viewers announced on the current connection. Hibernation loses them; at worst a viewer is announced twice. */
  private announced = new Set<string>()
  /** True if its tables are deleted: nothing may be written any more. */
  private over = false
  private readonly trials = new PendingRequests<TrialAnswer>()
  private readonly adding = new CameraSetupChannel((message) => this.send(message))
  private readonly budgets = new SocketRateLimiter()
  private readonly unreadable = new Unreadable()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.transactionSync(() => migrateSchema(ctx.storage.sql, BRIDGE_SCHEMA))
    this.cameras = new BridgeCameras(ctx.storage.sql, env)
    this.watching = new BridgeWatched(ctx.storage.sql, env)
  }

  /** Opens the control socket of a bridge that the Worker has authenticated; the newest replaces the previous. */
  async fetch(request: Request): Promise<Response> {
    const { bridge } = readVerified<{ bridge: string }>(request)
    const { server, answer } = socketPair()
    const former = this.current()
    const turn = (former ? readControl(former).turn : 0) + 1
    this.ctx.acceptWebSocket(server)
    server.serializeAttachment({ bridge, turn, heard: Date.now() } satisfies Control)
    this.announced = new Set()
    former?.close(REPLACED, 'Another connection of this bridge has replaced this one.')
    await this.ctx.storage.setAlarm(Date.now() + SILENCE_MS)
    return answer
  }

  /** Returns the control socket in use; null while the bridge is away. */
  private current(): WorkerSocket | null {
    const open = openSockets(this.ctx)
    return open.sort((a, b) => readControl(b).turn - readControl(a).turn)[0] ?? null
  }

  private send(message: ProviderMessage): boolean {
    const socket = this.current()
    socket?.send(JSON.stringify(message))
    return socket !== null
  }

  /** Closes the connection: the bridge was enrolled again and must authenticate again. */
  disconnect(): void {
    this.current()?.close(REENROLLED, 'The bridge was enrolled anew.')
  }

  /** Revokes the bridge's access to a home. `forGood`: true if the bridge then has neither a home nor a key. */
  async revoke(homeId: string, forGood: boolean): Promise<void> {
    if (forGood) {
      this.send({ type: 'removed', device_id: null })
      this.current()?.close(REVOKED, 'The bridge was removed by its owner.')
    } else this.disconnect()
    await this.cameras.leave(homeId, Date.now())
  }

  /** Disconnects a bridge whose homes are deleted, and deletes its storage. */
  async end(): Promise<void> {
    this.over = true
    this.send({ type: 'removed', device_id: null })
    for (const socket of openSockets(this.ctx)) socket.close(REVOKED, 'The bridge was removed by its owner.')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Returns the last known contact, ms UTC; null if there was none. A heartbeat writes no row. */
  private async readLastContact(): Promise<number | null> {
    const socket = this.current()
    if (socket) return readControl(socket).heard
    const written = this.cameras.lastHeard()?.heard ?? null
    /* After a restart, the alarm is more recent than the row, because it was set `SILENCE_MS` after a heartbeat. */
    const due = await this.ctx.storage.getAlarm()
    return due === null || written === null ? written : Math.max(written, due - SILENCE_MS)
  }

  /** Marks the cameras of a disconnected bridge as unavailable since `since`, and deletes the alarm. */
  private async handleDisconnect(since: number): Promise<void> {
    this.cameras.recordContact(since, null)
    this.watching.write(since)
    await this.ctx.storage.deleteAlarm()
    await this.cameras.away(since)
  }

  async status(): Promise<{ connected: boolean; version: string | null; last_seen: number | null }> {
    const version = this.cameras.lastHeard()?.version ?? null
    return { connected: this.current() !== null, version, last_seen: await this.readLastContact() }
  }

  async viewer(deviceId: string, viewerId: string, event: 'open' | 'close'): Promise<void> {
    if (this.over || !this.cameras.has(deviceId)) return
    if (event === 'open') this.announced.add(viewerId)
    else this.announced.delete(viewerId)
    await this.pass({ type: 'viewer', device_id: deviceId, viewer_id: viewerId, event })
  }

  async signal(deviceId: string, viewerId: string, message: SignalIn): Promise<void> {
    await this.pass({ type: 'signal', device_id: deviceId, viewer_id: viewerId, message })
  }

  /**
   * Forwards a message about a camera to the bridge. Returns false if the bridge is away, or the camera is not its own.
   */
  async pass(message: Extract<ProviderMessage, { device_id: string }>): Promise<boolean> {
    if (!this.cameras.has(message.device_id)) return false
    const sent = this.send(message)
    if (!sent) await this.cameras.away((await this.readLastContact()) ?? Date.now())
    return sent
  }

  /** Returns the motion preview: effect of unsaved settings on the last hour. */
  tryMotion(deviceId: string, settings: CameraSettings): Promise<TrialAnswer> {
    return this.trials.sendRequest((trial_id) =>
      this.pass({ type: 'try_motion', device_id: deviceId, trial_id, settings }),
    )
  }

  /** Requests the bridge's sealing key and a nonce (see `CameraSetupChannel`). */
  door(): Promise<DoorAnswer> {
    return this.adding.door()
  }

  sendSealedRequest(
    ...ask: Parameters<CameraSetupChannel['sendRequest']>
  ): ReturnType<CameraSetupChannel['sendRequest']> {
    return this.adding.sendRequest(...ask)
  }

  readAnswers(...read: Parameters<CameraSetupChannel['read']>): ReturnType<CameraSetupChannel['read']> {
    return this.adding.read(...read)
  }

  /** Sends a new welcome after a home was added, without interrupting streams. */
  async greetAgain(): Promise<void> {
    const socket = this.current()
    socket?.send(await buildWelcome(this.env, readControl(socket).bridge))
  }

  /** Returns the detection coverage of those cameras for which the bridge reports it. */
  watched(deviceIds: readonly string[]): Watched[] {
    return this.watching.of(deviceIds.filter((id) => this.cameras.has(id)))
  }

  async addCamera(deviceId: string, homeId: string): Promise<void> {
    await this.cameras.add(deviceId, homeId, this.current() !== null, Date.now())
  }

  removeCamera(deviceId: string): void {
    this.cameras.remove(deviceId)
  }

  dropCamera(deviceId: string): void {
    this.cameras.remove(deviceId)
    this.send({ type: 'removed', device_id: deviceId })
  }

  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    if (socket !== this.current() || !this.budgets.allows(socket, data, OF_BRIDGE, Date.now())) return
    const { type, message, problem } = readBridgeMessage(typeof data === 'string' ? data.slice(0, MESSAGE_MAX) : '')
    if (problem !== null) this.missed(readControl(socket).bridge, problem)
    /* A newer bridge may send messages that are unknown here, so only malformed ones close the socket. */
    if (type === null) {
      socket.close(UNREADABLE, 'The message is not one of the contract.')
      return
    }
    const now = Date.now()
    socket.serializeAttachment({ ...readControl(socket), heard: now } satisfies Control)
    if (message) await this.obey(socket, message, now)
  }

  private missed(bridge: string, problem: string): void {
    const times = this.unreadable.met(problem)
    if (times > 0) console.warn(JSON.stringify({ at: 'bridge', bridge, unreadable: problem, times }))
  }

  private async obey(socket: WorkerSocket, message: BridgeMessage, now: number): Promise<void> {
    switch (message.type) {
      case 'ping':
        socket.send(JSON.stringify({ type: 'pong', now } satisfies ProviderMessage))
        return
      case 'signal':
        await this.cameras.deliver(message.device_id, message.viewer_id, message.message)
        return
      case 'state': {
        const at = sane(message.at, now)
        const { state, reason } = message
        await this.cameras.hearState(message.device_id, { state, reason, since: at, from: at }, now)
        return
      }
      case 'watched':
        await this.watching.hear(message.cameras, (id) => this.cameras.findHomeId(id), now)
        return
      case 'trial':
        this.trials.answered(message.trial_id, { state: 'tried', ...message.trial })
        return
      case 'door':
      case 'answer':
        this.adding.hear(message, now)
        return
      case 'hello':
        this.cameras.recordContact(now, message.version)
        this.watching.greet(message.tells_watched === true, now)
        try {
          await this.greet(socket, message.cameras, now)
        } catch (error) {
          /* Without its welcome the bridge would wait, so the socket is closed; the bridge then connects again. */
          socket.close(UNANSWERED, 'The hello could not be answered.')
          throw error
        }
    }
  }

  private async greet(socket: WorkerSocket, cameras: readonly ReportedCamera[], now: number): Promise<void> {
    const restored = this.cameras.back(cameras, now)
    socket.send(await buildWelcome(this.env, readControl(socket).bridge))
    await restored
    for (const { device_id, viewers } of await this.cameras.viewers()) {
      for (const viewer_id of viewers) {
        if (this.announced.has(viewer_id)) continue
        this.announced.add(viewer_id)
        this.send({ type: 'viewer', device_id, viewer_id, event: 'open' })
      }
    }
  }

  async webSocketClose(socket: WorkerSocket): Promise<void> {
    socket.close()
    await this.ended(socket)
  }

  async webSocketError(socket: WorkerSocket): Promise<void> {
    await this.ended(socket)
  }

  private async ended(socket: WorkerSocket): Promise<void> {
    if (this.over) return
    const current = this.current()
    if (current === null || current === socket) await this.handleDisconnect(Date.now())
  }

  /**
   * Checks the last heartbeat. Also runs after a restart of the provider, which closes all sockets: then the alarm is
   * set for `SILENCE_MS` after the last known heartbeat.
   */
  async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const socket = this.current()
    const lastHeardAt = socket ? readControl(socket).heard : (info?.scheduledTime ?? Date.now()) - SILENCE_MS
    if (socket && lastHeardAt + SILENCE_MS > Date.now()) {
      await this.ctx.storage.setAlarm(lastHeardAt + SILENCE_MS)
      return
    }
    socket?.close(SILENT, 'No heartbeat for 25 s.')
    await this.handleDisconnect(Math.max(lastHeardAt, this.cameras.lastHeard()?.heard ?? 0))
  }
}

const readControl = (socket: WorkerSocket) => socket.deserializeAttachment() as Control

/** Returns the time of a change by the bridge's clock; `now` if that clock is off by a minute or more. */
const sane = (at: number, now: number) => (Math.abs(at - now) < 60_000 ? Math.min(at, now) : now)
