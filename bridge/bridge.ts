import { fileURLToPath } from 'node:url'
import { BRIDGE_VERSION } from './runtime/version.ts'
import type { HelloMessage, ProviderMessage } from '../contract/bridge/bridge-protocol.ts'
import type { CameraSettings } from '../contract/cameras/camera-settings.ts'
import type { IceServers } from '../contract/live/ice-servers.ts'
import type { BridgeRunOptions } from './runtime/command-line.ts'
import { registerCamera, renewDeviceId } from './camera-registration.ts'
import { CameraSetup } from './setup/camera-setup.ts'
import { createSetupActions, type ActivationContext } from './setup/register-camera.ts'
import { readCameras, type RtspCamera } from './cameras/camera-file.ts'
import { OwnerSettingsStore } from './cameras/owner-settings.ts'
import { applyCameraRemoval, removeFormerCameras } from './remove-cameras.ts'
import { applyOwnerSettings, getOwnerSettings, type ReceivedOwnerSettings } from './cameras/apply-owner-settings.ts'
import { indexKnownCameras, type WelcomeHome, type KnownCameras } from './cameras/provider-cameras.ts'
import { ControlSocket } from './uplink/control-socket.ts'
import { createDeliveryFunctions } from './recording-delivery.ts'
import { reportInternalError } from './runtime/internal-errors.ts'
import { Heartbeat } from './heartbeat.ts'
import { readIdentity } from './uplink/bridge-identity.ts'
import { log, warn } from './runtime/log.ts'
import { PendingHistory } from './virtual/pending-history.ts'
import { isVirtualId, assignVirtualCameras, type VirtualCamera } from './virtual/assign-virtual-cameras.ts'
import type { PeerFactory } from './webrtc/peer.ts'
import { warmUpWebRtc, createWeriftPeer } from './webrtc/werift-peer.ts'
import type { ManagedCamera } from './cameras/managed-camera.ts'
import { LastContact } from './uplink/last-contact.ts'
import { ProviderClient } from './uplink/provider-client.ts'
import { finishInterrupted } from './recording/finish-recording.ts'
import { RecordingQueue } from './recording/recording-queue.ts'
import { ManagedRtspCamera } from './cameras/rtsp-camera.ts'
import { SceneLibrary } from './virtual/scene-library.ts'
import { type CameraSlot, createDaySchedule, ManagedVirtualCamera } from './virtual/virtual-camera.ts'

/** Connects all cameras of one bridge to one provider. */
export class BridgeProgram {
  readonly #options: BridgeRunOptions
  readonly client: ProviderClient
  readonly #sceneLibrary: SceneLibrary
  readonly #controlSocket: ControlSocket
  readonly #recordingQueue: RecordingQueue
  readonly #pendingHistory: PendingHistory
  readonly #ownerSettings: OwnerSettingsStore
  readonly #heartbeat: Heartbeat
  #cameraSetup: CameraSetup | undefined
  readonly managedCameras = new Map<string, ManagedCamera>()
  #removedIds: readonly string[] = []
  /** Time of this run's first welcome message, ms UTC. Virtual cameras record from that time. */
  #recordingStart: number | undefined
  #welcomeRound = 0
  #hasLoggedReady = false
  #homes: readonly WelcomeHome[] = []
  #iceServers: IceServers = []
  readonly #createPeer: PeerFactory = (events, has) => createWeriftPeer(events, has, this.#iceServers)

  private constructor(options: BridgeRunOptions, client: ProviderClient, library: SceneLibrary) {
    this.#options = options
    this.client = client
    this.#sceneLibrary = library
    this.#pendingHistory = new PendingHistory(options.dataFolder)
    this.#ownerSettings = new OwnerSettingsStore(options.dataFolder)
    const { list, deliver } = createDeliveryFunctions(client, library, () => queue)
    const queue = new RecordingQueue(options.dataFolder, deliver, { limit: options.queueBytes, list })
    this.#recordingQueue = queue
    const control = new ControlSocket(client, {
      createHello: () => this.#createHello(),
      onMessage: (message) => this.#handleMessage(message),
      lastContact: new LastContact(options.dataFolder),
    })
    this.#controlSocket = control
    this.#heartbeat = new Heartbeat({ units: this.managedCameras, queue, control, library, client })
  }

  /** Creates the bridge from its data folder and starts the RTSP cameras. Throws if a required file is unreadable. */
  static async open(options: BridgeRunOptions): Promise<BridgeProgram> {
    const identity = await readIdentity(options.dataFolder)
    const scenes = options.scenes ?? fileURLToPath(new URL('../scenes/', import.meta.url))
    const library = await SceneLibrary.open(scenes)
    const bridge = new BridgeProgram(options, new ProviderClient(options.provider, identity), library)
    await bridge.#recordingQueue.open()
    await bridge.#ownerSettings.open()
    await bridge.#controlSocket.open()
    await finishInterrupted(bridge.#recordingQueue)
    await bridge.#openRtspCameras()
    bridge.#cameraSetup = await CameraSetup.open(options.dataFolder, {
      bridgeId: identity.bridgeId,
      servesHome: (id) => bridge.#homes.some(({ home_id }) => home_id === id),
      send: bridge.#controlSocket.send.bind(bridge.#controlSocket),
      ...createSetupActions(bridge.#activation),
    })
    return bridge
  }

  start(): void {
    void warmUpWebRtc()
    this.#controlSocket.start()
    this.#heartbeat.start()
  }

  async stop(): Promise<void> {
    this.#welcomeRound++
    this.#heartbeat.stop()
    this.#recordingQueue.stop()
    for (const unit of this.managedCameras.values()) unit.stop()
    this.#controlSocket.stop()
  }

  #createHello(): HelloMessage {
    const cameras = [...this.managedCameras.values()].map(({ camera }) => camera)
    for (const camera of cameras) camera.clearConnectedViewers()
    const summaries = cameras.map((camera) => camera.getSummary())
    return { type: 'hello', version: BRIDGE_VERSION, cameras: summaries, tells_watched: true }
  }

  async #openRtspCameras(): Promise<void> {
    const { cameras, removed: removedIds } = await readCameras(this.#options.dataFolder)
    this.#removedIds = removedIds
    cameras.forEach((camera, i) => this.#openRtspCamera(camera, 100 + i))
  }

  #openRtspCamera(camera: RtspCamera, order: number): ManagedRtspCamera {
    const [client, queue, createPeer] = [this.client, this.#recordingQueue, this.#createPeer]
    const send = this.#controlSocket.send.bind(this.#controlSocket)
    const changed = (unit: ManagedRtspCamera) =>
      void this.#register(unit, indexKnownCameras(this.#homes), this.#welcomeRound)
    const parts = { client, queue, createPeer, send, changed, choice: this.#ownerSettings.get(camera.device_id) }
    const unit = new ManagedRtspCamera(camera, order, parts)
    this.managedCameras.set(camera.device_id, unit)
    return unit
  }

  get #activation(): ActivationContext {
    const open = (entry: RtspCamera) => {
      const running = this.managedCameras.get(entry.device_id)
      running?.stop()
      const order = running?.camera.registration.device_order ?? 100 + this.managedCameras.size
      const { camera } = this.#openRtspCamera(entry, order)
      if (running) camera.announce()
    }
    const register = async (id: string) => {
      const unit = this.managedCameras.get(id)
      const deviceId = unit && (await this.#register(unit, new Map(), this.#welcomeRound))
      if (deviceId) void this.managedCameras.get(deviceId)?.startUploads(false, false, 0)
      return deviceId
    }
    return { data: this.#options.dataFolder, homes: () => this.#homes, open, register }
  }

  #handleMessage(message: ProviderMessage): void {
    if (message.type === 'pong') return
    if (message.type === 'welcome') {
      this.#iceServers = message.ice_servers ?? []
      this.#heartbeat.requestReport(message.confirms_coverage === true)
      return void this.#handleWelcome(message)
    }
    if (message.type === 'removed') return void this.#handleRemoval(message.device_id)
    if (message.type === 'door') return this.#cameraSetup?.sendSealingKey(message.ask_id)
    if (message.type === 'sealed') return void this.#cameraSetup?.handleRequest(message)
    const unit = this.managedCameras.get(message.device_id)
    if (!unit) return
    const { camera } = unit
    if (message.type === 'viewer') camera.handleViewerEvent(message.viewer_id, message.event)
    if (message.type === 'signal') void camera.handleSignal(message.viewer_id, message.message)
    if (message.type === 'try_motion') void this.#sendMotionPreview(unit, message.trial_id, message.settings)
    const ownerSettings = getOwnerSettings(message)
    if (ownerSettings) this.#applySettings(unit, ownerSettings)
    else if (message.type === 'command') camera.handleCommand(message)
  }

  async #sendMotionPreview(unit: ManagedCamera, trial_id: string, settings: CameraSettings): Promise<void> {
    this.#controlSocket.send({ type: 'trial', trial_id, trial: await unit.previewMotion(settings) })
  }

  #applySettings(unit: ManagedCamera, ownerSettings: Partial<ReceivedOwnerSettings>): void {
    const { camera } = unit
    applyOwnerSettings(unit, ownerSettings)
    const recordingStart = camera.state === 'switched_off' ? camera.getSummary().since : null
    this.#ownerSettings
      .set(camera.deviceId, { ...ownerSettings, since: recordingStart })
      .catch((error: unknown) => reportInternalError('choices', "A setting couldn't be saved to disk", error))
  }

  async #handleRemoval(deviceId: string | null): Promise<void> {
    if (deviceId === null) return warn('This hub was removed by its owner, so its key no longer works.')
    const unit = this.managedCameras.get(deviceId)
    if (!unit) return
    unit.stop()
    this.managedCameras.delete(deviceId)
    warn(`${unit.camera.registration.nickname} was removed by its owner.`)
    await applyCameraRemoval(
      { data: this.#options.dataFolder, client: this.client, ownerSettings: this.#ownerSettings },
      deviceId,
    )
  }

  async #handleWelcome({ homes, ...welcome }: Extract<ProviderMessage, { type: 'welcome' }>): Promise<void> {
    const welcomeRound = ++this.#welcomeRound
    this.client.applyWelcome(welcome)
    this.#recordingStart ??= this.client.now()
    this.#homes = homes
    this.#dropCamerasOfFormerHomes(homes)
    this.#addVirtualCameras(homes)
    const registered = indexKnownCameras(homes)
    for (const [id, { camera }] of registered) {
      const unit = this.managedCameras.get(id)
      const { power, rendition, pip, settings } = camera
      if (unit) this.#applySettings(unit, { power, rendition, pip, settings })
    }
    await this.#removeFormerCameras([...registered.keys()])
    await Promise.all([...this.managedCameras.values()].map((unit) => this.#register(unit, registered, welcomeRound)))
    // Starts uploads for one camera at a time, so that cameras of the same scene upload their shared clips only once.
    for (const unit of this.managedCameras.values())
      if (welcomeRound === this.#welcomeRound) await this.#startUploads(unit, homes, registered)
    if (welcomeRound !== this.#welcomeRound) return
    this.#heartbeat.requestReport()
    this.#recordingQueue.retryNow()
    // The supervisor waits for the log line `ready`. The bridge writes this line once, after the first welcome message.
    if (!this.#hasLoggedReady) log('ready')
    this.#hasLoggedReady = true
  }

  #dropCamerasOfFormerHomes(homes: readonly WelcomeHome[]): void {
    for (const [id, unit] of this.managedCameras) {
      const { home_id } = unit.camera.registration
      if (isVirtualId(id) && homes.every((home) => home.home_id !== home_id)) this.#dropCamera(unit)
    }
  }

  #addVirtualCameras(homes: readonly WelcomeHome[]): void {
    if (this.#options.virtual === 0) return
    const virtualCameras = assignVirtualCameras(this.#sceneLibrary.manifest, homes, this.#options.virtual)
    for (const place of virtualCameras) {
      const count = virtualCameras.filter(({ home }) => home === place.home).length
      if (!this.managedCameras.has(place.device_id))
        this.managedCameras.set(place.device_id, this.#createVirtualCamera(place, { index: place.order, count }))
    }
  }

  #createVirtualCamera(virtualCamera: VirtualCamera, slot: CameraSlot): ManagedVirtualCamera {
    const { client } = this
    const library = this.#sceneLibrary
    const { visits, wakeMs } = this.#options
    const startedAt = this.#recordingStart ?? client.now()
    const daySchedule = createDaySchedule(library, virtualCamera, { startedAt, slot, visits })
    const send = this.#controlSocket.send.bind(this.#controlSocket)
    const recording = { client, library, queue: this.#recordingQueue, pasts: this.#pendingHistory, since: startedAt }
    const choice = this.#ownerSettings.get(virtualCamera.device_id)
    const parts = { ...recording, createPeer: this.#createPeer, send, choice, wakeMs }
    return new ManagedVirtualCamera(virtualCamera, daySchedule, parts)
  }

  /** Removes from the provider the cameras that this bridge no longer has: removed and obsolete virtual cameras. */
  async #removeFormerCameras(ids: readonly string[]): Promise<void> {
    const formerIds = ids.filter(
      (id) => !this.managedCameras.has(id) && (isVirtualId(id) || this.#removedIds.includes(id)),
    )
    const context = { client: this.client, data: this.#options.dataFolder }
    if (await removeFormerCameras(context, formerIds, this.#removedIds)) this.#removedIds = []
  }

  /** Registers a camera. Returns its id (a new one if another camera has the id), or undefined after a failure. */
  async #register(unit: ManagedCamera, registered: KnownCameras, welcomeRound: number): Promise<string | undefined> {
    const { camera } = unit
    const isCurrent = () => welcomeRound === this.#welcomeRound
    const result = await registerCamera(this.client, camera, registered, isCurrent)
    if (result === 'registered') return camera.deviceId
    if (result === 'removed') return void (await this.#handleRemoval(camera.deviceId))
    if (result === 'rejected') return void this.#handleRejectedRegistration(unit)
    if (result === 'failed') return undefined
    if (result === 'superseded') return this.managedCameras.has(camera.deviceId) ? camera.deviceId : undefined
    const entry = await renewDeviceId(this.#options.dataFolder, this.#ownerSettings, camera)
    if (!entry) return undefined
    unit.stop()
    this.managedCameras.delete(camera.deviceId)
    const renewed = this.#openRtspCamera(entry, camera.registration.device_order)
    return this.#register(renewed, registered, welcomeRound)
  }

  /** Drops a camera that the provider rejected. Keeps the camera while no home uses this bridge. */
  #handleRejectedRegistration(unit: ManagedCamera): void {
    if (this.#homes.length > 0)
      this.#dropCamera(unit, 'Remove the camera, or connect this hub to that home again and restart the hub.')
  }

  #dropCamera(unit: ManagedCamera, advice = ''): void {
    const { deviceId, registration } = unit.camera
    unit.stop()
    this.managedCameras.delete(deviceId)
    warn(`${registration.nickname} is offline because its home doesn't use this hub. ${advice}`.trim())
  }

  async #startUploads(unit: ManagedCamera, homes: readonly WelcomeHome[], registered: KnownCameras): Promise<void> {
    const entry = registered.get(unit.camera.deviceId)
    const home = entry?.home ?? homes.find((other) => other.home_id === unit.camera.registration.home_id) ?? homes[0]
    await unit.startUploads(
      home?.demo ?? false,
      (entry?.camera.last_event_ts ?? null) !== null,
      this.#recordingStart ?? 0,
    )
  }
}
