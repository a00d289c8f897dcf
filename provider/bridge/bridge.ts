import { DurableObject } from 'cloudflare:workers'
import type { AlarmInvocationInfo, DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { parseBridgeMessage } from '../../contract/bridge/parse-bridge-messages.ts'
import type { BridgeMessage, HelloMessage, ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'
import {
  CLOSE_INTERNAL_ERROR,
  CLOSE_REENROLLED,
  CLOSE_REPLACED,
  CLOSE_REVOKED,
} from '../../contract/wire/socket-close-codes.ts'
import type { SignalFromService } from '../../contract/live/signaling.ts'
import { ParseProblemCounter } from '../../contract/wire/lenient-parse.ts'
import type { Env } from '../env.ts'
import type { StoredCoverage } from '../events/timeline/detection-gap-rows.ts'
import { migrateSchema } from '../platform/migrate-schema.ts'
import { BRIDGE_LIMITS, SocketRateLimiter } from '../platform/sockets/socket-rate-limits.ts'
import { listOpenSockets, readVerifiedData } from '../platform/sockets/websocket-upgrade.ts'
import { CameraSetupChannel, type SealingKeyResult } from './camera-setup-channel.ts'
import { BridgeCameraStates, BRIDGE_SCHEMA } from './bridge-camera-states.ts'
import { ConnectionWatch } from './connection-watch.ts'
import { ControlSocket, HEARTBEAT_TIMEOUT_MS, readSocketState } from './control-socket.ts'
import { BridgeDetectionCoverage } from './detection-coverage.ts'
import { PendingRequests } from './pending-requests.ts'
import type { MotionPreviewResult } from './motion-preview-result.ts'
import { buildWelcome } from './welcome-message.ts'

const CLOSE_INVALID_PAYLOAD = 1007
/** Maximum characters of a message. A longer message is truncated, so its JSON is invalid and the socket closes. */
const MAX_MESSAGE_CHARS = 200_000

/**
 * One bridge: its control socket and the last reported states of its cameras. Forwards signaling between the bridge and
 * viewers.
 */
export class Bridge extends DurableObject<Env> {
  readonly #control = new ControlSocket(this.ctx)
  readonly #cameras: BridgeCameraStates
  readonly #watch: ConnectionWatch
  readonly #detectionCoverage: BridgeDetectionCoverage
  /**
   * Viewers that were announced to the bridge on the current connection. Hibernation clears this set, so a viewer may
   * be announced twice.
   */
  #announcedViewers = new Set<string>()
  /** True once `deleteBridge` has started. From then on, no other method may write to the storage. */
  #isDeleted = false
  readonly #motionPreviews = new PendingRequests<MotionPreviewResult>()
  readonly #cameraSetup = new CameraSetupChannel((message) => this.#control.send(message))
  readonly #rateLimiter = new SocketRateLimiter()
  readonly #unreadableMessages = new ParseProblemCounter()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.transactionSync(() => migrateSchema(ctx.storage.sql, BRIDGE_SCHEMA))
    this.#cameras = new BridgeCameraStates(ctx.storage.sql, env)
    this.#detectionCoverage = new BridgeDetectionCoverage(ctx.storage.sql, env)
    this.#watch = new ConnectionWatch({
      storage: ctx.storage,
      control: this.#control,
      cameras: this.#cameras,
      handleDisconnect: (since) => this.#handleDisconnect(since),
    })
  }

  /** Opens the control socket of a bridge that the Worker has authenticated. A new socket replaces the previous one. */
  async fetch(request: Request): Promise<Response> {
    const { bridge } = readVerifiedData<{ bridge: string }>(request)
    const { answer, previous } = this.#control.accept(bridge)
    this.#announcedViewers = new Set()
    previous?.close(CLOSE_REPLACED, 'A newer connection from this hub replaced this one.')
    await this.#watch.start(Date.now())
    return answer
  }

  /** Closes the connection after a change of the bridge's key or homes, so that the bridge authenticates again. */
  disconnect(): void {
    this.#control.getSocket()?.close(CLOSE_REENROLLED, 'The hub’s key or homes have changed.')
  }

  /**
   * Revokes the bridge's access to a home. `isLastHome`: true if the bridge serves no other home. The caller has then
   * already deleted the bridge's key.
   */
  async revoke(homeId: string, isLastHome: boolean): Promise<void> {
    if (isLastHome) {
      this.#control.send({ type: 'removed', device_id: null })
      this.#control.getSocket()?.close(CLOSE_REVOKED, 'The hub was removed by its owner.')
    } else this.disconnect()
    await this.#cameras.removeHomeCameras(homeId, Date.now())
  }

  /** Disconnects a bridge whose homes are deleted, and deletes its storage. */
  async deleteBridge(): Promise<void> {
    this.#isDeleted = true
    this.#control.send({ type: 'removed', device_id: null })
    for (const socket of listOpenSockets(this.ctx)) socket.close(CLOSE_REVOKED, 'The hub was removed by its owner.')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** `since`: end of the connection, ms UTC. */
  async #handleDisconnect(since: number): Promise<void> {
    this.#cameras.recordContact(since, null)
    this.#detectionCoverage.endConnection(since)
    await this.ctx.storage.deleteAlarm()
    await this.#cameras.markUnavailable(since)
  }

  /** Called when a page opens that shows a camera of this bridge and sends no checks. */
  async startFrequentChecks(): Promise<void> {
    if (!this.#isDeleted) await this.#watch.startFrequentChecks(Date.now())
  }

  /** Marks the cameras as unavailable if the bridge has fallen silent. Returns the time, ms, until the next check. */
  async checkConnection(): Promise<number> {
    return this.#isDeleted ? HEARTBEAT_TIMEOUT_MS : this.#watch.checkForReader(Date.now())
  }

  async getStatus(): Promise<{ connected: boolean; version: string | null; last_seen: number | null }> {
    await this.checkConnection()
    const version = this.#cameras.readLastContact()?.version ?? null
    return { connected: this.#control.getSocket() !== null, version, last_seen: await this.#watch.readLastContact() }
  }

  async notifyViewerChange(deviceId: string, viewerId: string, event: 'open' | 'close', sendsChecks: boolean) {
    if (this.#isDeleted || !this.#cameras.has(deviceId)) return
    if (event === 'open') {
      this.#announcedViewers.add(viewerId)
      await (sendsChecks ? this.checkConnection() : this.startFrequentChecks())
    } else this.#announcedViewers.delete(viewerId)
    await this.forwardToBridge({ type: 'viewer', device_id: deviceId, viewer_id: viewerId, event })
  }

  async forwardSignal(deviceId: string, viewerId: string, message: SignalFromService): Promise<void> {
    await this.forwardToBridge({ type: 'signal', device_id: deviceId, viewer_id: viewerId, message })
  }

  /**
   * Forwards a message about a camera to the bridge. Returns false if the bridge is disconnected or did not register
   * the camera.
   */
  async forwardToBridge(message: Extract<ProviderMessage, { device_id: string }>): Promise<boolean> {
    if (!this.#cameras.has(message.device_id)) return false
    const sent = this.#control.send(message)
    if (!sent) await this.#cameras.markUnavailable((await this.#watch.readLastContact()) ?? Date.now())
    return sent
  }

  /** Asks the bridge for a motion preview: the effect that unsaved settings would have had on the last hour. */
  requestMotionPreview(deviceId: string, settings: CameraSettings): Promise<MotionPreviewResult> {
    return this.#motionPreviews.sendRequest((trial_id) =>
      this.forwardToBridge({ type: 'try_motion', device_id: deviceId, trial_id, settings }),
    )
  }

  requestSealingKey(): Promise<SealingKeyResult> {
    return this.#cameraSetup.requestSealingKey()
  }

  sendSealedRequest(
    ...args: Parameters<CameraSetupChannel['sendRequest']>
  ): ReturnType<CameraSetupChannel['sendRequest']> {
    return this.#cameraSetup.sendRequest(...args)
  }

  readSealedResponses(
    ...args: Parameters<CameraSetupChannel['readResponses']>
  ): ReturnType<CameraSetupChannel['readResponses']> {
    return this.#cameraSetup.readResponses(...args)
  }

  /** Sends a new welcome message after a home was added. Video streams continue. */
  async sendWelcome(): Promise<void> {
    const socket = this.#control.getSocket()
    socket?.send(await buildWelcome(this.env, readSocketState(socket).bridge))
  }

  /** Returns the detection coverage of the given cameras. Omits cameras that this bridge has not registered. */
  async getDetectionCoverage(deviceIds: readonly string[]): Promise<StoredCoverage[]> {
    await this.checkConnection()
    const ids = deviceIds.filter((id) => this.#cameras.has(id))
    return this.#detectionCoverage.getCoverage(ids, this.#control.readLastHeardAt())
  }

  async addCamera(deviceId: string, homeId: string): Promise<void> {
    await this.#cameras.add(deviceId, homeId, this.#control.getSocket() !== null, Date.now())
  }

  removeCamera(deviceId: string): void {
    this.#cameras.remove(deviceId)
  }

  removeCameraAndNotifyBridge(deviceId: string): void {
    this.#cameras.remove(deviceId)
    this.#control.send({ type: 'removed', device_id: deviceId })
  }

  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    if (socket !== this.#control.getSocket() || !this.#rateLimiter.allows(socket, data, BRIDGE_LIMITS, Date.now()))
      return
    const { type, message, problem } = parseBridgeMessage(
      typeof data === 'string' ? data.slice(0, MAX_MESSAGE_CHARS) : '',
    )
    if (problem !== null) this.#logUnreadableMessage(readSocketState(socket).bridge, problem)
    /* Close the socket only for malformed messages. A newer bridge may send unknown messages, which are ignored. */
    if (type === null) {
      socket.close(CLOSE_INVALID_PAYLOAD, 'The message is malformed.')
      return
    }
    const now = Date.now()
    this.#control.changeState(socket, { heard: now })
    if (message) await this.#handleMessage(socket, message, now)
  }

  #logUnreadableMessage(bridge: string, problem: string): void {
    const times = this.#unreadableMessages.countProblem(problem)
    if (times > 0) console.warn(JSON.stringify({ at: 'bridge', bridge, unreadable: problem, times }))
  }

  async #handleMessage(socket: WorkerSocket, message: BridgeMessage, now: number): Promise<void> {
    switch (message.type) {
      case 'ping':
        socket.send(JSON.stringify({ type: 'pong', now } satisfies ProviderMessage))
        return
      case 'signal':
        await this.#cameras.deliver(message.device_id, message.viewer_id, message.message)
        return
      case 'state': {
        const at = toPlausibleTime(message.at, now)
        const { state, reason } = message
        await this.#cameras.handleStateReport(message.device_id, { state, reason, since: at, from: at }, now)
        return
      }
      case 'watched':
        await this.#detectionCoverage.handleReport(message, (id) => this.#cameras.findHomeId(id), now)
        return
      case 'trial':
        this.#motionPreviews.handleResponse(message.trial_id, { state: 'tried', ...message.trial })
        return
      case 'door':
      case 'answer':
        this.#cameraSetup.handleMessage(message, now)
        return
      case 'hello':
        this.#cameras.recordContact(now, message.version)
        this.#control.changeState(socket, { hasHello: true })
        this.#detectionCoverage.handleHello(message.tells_watched === true, message.last_contact, now)
        try {
          await this.#handleHello(socket, message, now)
        } catch (error) {
          /*
           * Close the socket so that the bridge connects again. Otherwise the bridge waits for its welcome message
           * forever.
           */
          socket.close(CLOSE_INTERNAL_ERROR, 'The hello message couldn’t be handled.')
          throw error
        }
    }
  }

  async #handleHello(socket: WorkerSocket, hello: HelloMessage, now: number): Promise<void> {
    const restored = this.#cameras.restoreStates(hello.cameras, now, hello.last_contact)
    socket.send(await buildWelcome(this.env, readSocketState(socket).bridge))
    await restored
    for (const { device_id, viewers } of await this.#cameras.listViewers()) {
      for (const viewer_id of viewers) {
        if (this.#announcedViewers.has(viewer_id)) continue
        this.#announcedViewers.add(viewer_id)
        this.#control.send({ type: 'viewer', device_id, viewer_id, event: 'open' })
      }
    }
  }

  async webSocketClose(socket: WorkerSocket): Promise<void> {
    socket.close()
    await this.#handleSocketEnd(socket)
  }

  async webSocketError(socket: WorkerSocket): Promise<void> {
    await this.#handleSocketEnd(socket)
  }

  async #handleSocketEnd(socket: WorkerSocket): Promise<void> {
    if (this.#isDeleted || readSocketState(socket).hasEnded === true) return
    const current = this.#control.getSocket()
    if (current === null || current === socket) await this.#handleDisconnect(this.#watch.getEnd(socket, Date.now()))
  }

  async alarm(info?: AlarmInvocationInfo): Promise<void> {
    await this.#watch.handleAlarm(info?.scheduledTime ?? Date.now(), Date.now())
    this.#detectionCoverage.storeConfirmed(this.#control.readLastHeardAt())
  }
}

/**
 * Returns `at`, a time by the bridge's clock, limited to `now`. If the two times differ by at least a minute, returns
 * `now`, because the bridge's clock is probably wrong.
 */
const toPlausibleTime = (at: number, now: number) => (Math.abs(at - now) < 60_000 ? Math.min(at, now) : now)
