import { fileURLToPath } from 'node:url'
import { BRIDGE_VERSION } from './runtime/version.ts'
import type { BridgeMessage, ProviderMessage } from '../contract/bridge/bridge-protocol.ts'
import type { CameraSettings } from '../contract/cameras/camera-settings.ts'
import type { IceServers } from '../contract/live/ice-servers.ts'
import type { BridgeRunOptions } from './runtime/command-line.ts'
import { BackOff } from './runtime/backoff.ts'
import { CameraSetup } from './setup/camera-setup.ts'
import { activateCamera, type Admitted } from './setup/register-camera.ts'
import { readCameras, renewId, type RtspCamera } from './cameras/camera-file.ts'
import { OwnerSettingsStore } from './cameras/owner-settings.ts'
import { applyCameraRemoval, removeStrangers } from './remove-cameras.ts'
import { applyChosen, toOwnerSettings, type Chosen } from './cameras/apply-owner-settings.ts'
import { knownIn, type WelcomeHome, type KnownCameras } from './cameras/provider-cameras.ts'
import { Control } from './uplink/control-socket.ts'
import { deliveries } from './recording-delivery.ts'
import { reportInternalError } from './runtime/internal-errors.ts'
import { Heartbeat } from './heartbeat.ts'
import { readIdentity } from './uplink/bridge-identity.ts'
import { log, getErrorMessage, warn } from './runtime/log.ts'
import { PendingHistory } from './virtual/pending-history.ts'
import { isVirtualId, placeCameras, type VirtualCamera } from './virtual/assign-virtual-cameras.ts'
import type { PeerFactory } from './webrtc/peer.ts'
import { warmUpWebRtc, weriftPeer } from './webrtc/werift-peer.ts'
import type { ManagedCamera } from './cameras/managed-camera.ts'
import { ProviderClient, ProviderError } from './uplink/provider-client.ts'
import { finishInterrupted } from './recording/finish-recording.ts'
import { RecordingQueue } from './recording/recording-queue.ts'
import { RtspCameraUnit } from './cameras/rtsp-camera.ts'
import { SceneLibrary } from './virtual/scene-library.ts'
import { createCameraPlan, VirtualCameraUnit } from './virtual/virtual-camera.ts'

/** Connects all cameras of one bridge to one provider. */
export class BridgeProgram {
  private readonly options: BridgeRunOptions
  readonly client: ProviderClient
  private readonly library: SceneLibrary
  private readonly control: Control
  private readonly queue: RecordingQueue
  private readonly pasts: PendingHistory
  private readonly choices: OwnerSettingsStore
  private readonly heartbeat: Heartbeat
  private adding: CameraSetup | undefined
  readonly units = new Map<string, ManagedCamera>()
  private removed: readonly string[] = []
  /** Start of recording in this run, ms UTC; set by the first welcome. */
  private since: number | undefined
  private round = 0
  private ready = false
  private homes: readonly WelcomeHome[] = []
  private iceServers: IceServers = []
  private readonly createPeer: PeerFactory = (events, has) => weriftPeer(events, has, this.iceServers)

  private constructor(options: BridgeRunOptions, client: ProviderClient, library: SceneLibrary) {
    this.options = options
    this.client = client
    this.library = library
    this.pasts = new PendingHistory(options.data)
    this.choices = new OwnerSettingsStore(options.data)
    const { list, deliver } = deliveries(client, library, () => this.queue)
    this.queue = new RecordingQueue(options.data, deliver, { limit: options.queueBytes, list })
    this.control = new Control(client, {
      hello: () => this.hello(),
      message: (message) => this.received(message),
    })
    const { queue, units, control } = this
    this.heartbeat = new Heartbeat({ units, queue, library, client, control })
  }

  /** Throws an Error with a user-facing sentence if the key, the cameras or the scenes cannot be read. */
  static async open(options: BridgeRunOptions): Promise<BridgeProgram> {
    const identity = await readIdentity(options.data)
    const scenes = options.scenes ?? fileURLToPath(new URL('../scenes/', import.meta.url))
    const library = await SceneLibrary.open(scenes)
    const bridge = new BridgeProgram(options, new ProviderClient(options.provider, identity), library)
    await bridge.queue.open()
    await bridge.choices.open()
    await finishInterrupted(bridge.queue)
    await bridge.openRtspCameras()
    bridge.adding = await CameraSetup.open(options.data, {
      bridgeId: identity.bridgeId,
      serves: (id) => bridge.homes.some(({ home_id }) => home_id === id),
      send: bridge.control.send.bind(bridge.control),
      add: (camera) => bridge.admit(camera),
    })
    return bridge
  }

  start(): void {
    void warmUpWebRtc()
    this.control.start()
    this.heartbeat.start()
  }

  async stop(): Promise<void> {
    this.round++
    this.heartbeat.stop()
    this.queue.stop()
    for (const unit of this.units.values()) unit.stop()
    this.control.stop()
  }

  private hello(): BridgeMessage {
    const cameras = [...this.units.values()].map(({ camera }) => camera)
    for (const camera of cameras) camera.clearWatching()
    return {
      type: 'hello',
      version: BRIDGE_VERSION,
      cameras: cameras.map((camera) => camera.summary()),
      tells_watched: true,
    }
  }

  private async openRtspCameras(): Promise<void> {
    const { cameras, removed } = await readCameras(this.options.data)
    this.removed = removed
    cameras.forEach((camera, i) => this.openRtsp(camera, 100 + i))
  }

  private openRtsp(camera: RtspCamera, order: number): RtspCameraUnit {
    const { client, queue, createPeer } = this
    const send = this.control.send.bind(this.control)
    const changed = (unit: RtspCameraUnit) => void this.register(unit, knownIn(this.homes), this.round)
    const parts = { client, queue, createPeer, send, changed, choice: this.choices.of(camera.device_id) }
    const unit = new RtspCameraUnit(camera, order, parts)
    this.units.set(camera.device_id, unit)
    return unit
  }

  private admit(camera: Admitted): Promise<string> {
    const open = (entry: RtspCamera) => {
      this.units.get(entry.device_id)?.stop()
      this.openRtsp(entry, 100 + this.units.size)
    }
    const register = async (id: string) => {
      const unit = this.units.get(id)
      const unitId = unit && (await this.register(unit, new Map(), this.round))
      if (unitId) void this.units.get(unitId)?.introduce(false, false, 0)
      return unitId
    }
    return activateCamera({ data: this.options.data, homes: () => this.homes, open, register }, camera)
  }

  private received(message: ProviderMessage): void {
    if (message.type === 'pong') return
    if (message.type === 'welcome') {
      this.iceServers = message.ice_servers ?? []
      return void this.welcomed(message.now, message.homes)
    }
    if (message.type === 'removed') return void this.handleRemoval(message.device_id)
    if (message.type === 'door') return this.adding?.door(message.ask_id)
    if (message.type === 'sealed') return void this.adding?.handleRequest(message)
    const unit = this.units.get(message.device_id)
    if (!unit) return
    const { camera } = unit
    if (message.type === 'viewer') camera.viewer(message.viewer_id, message.event)
    if (message.type === 'signal') void camera.signal(message.viewer_id, message.message)
    if (message.type === 'try_motion') void this.tryMotion(unit, message.trial_id, message.settings)
    const chosen = toOwnerSettings(message)
    if (chosen) this.apply(unit, chosen)
    else if (message.type === 'command') camera.command(message)
  }

  private async tryMotion(unit: ManagedCamera, trial_id: string, settings: CameraSettings): Promise<void> {
    this.control.send({ type: 'trial', trial_id, trial: await unit.tryMotion(settings) })
  }

  private apply(unit: ManagedCamera, chosen: Partial<Chosen>): void {
    const { camera } = unit
    applyChosen(unit, chosen)
    const since = camera.state === 'switched_off' ? camera.summary().since : null
    this.choices
      .set(camera.deviceId, { ...chosen, since })
      .catch((error: unknown) => reportInternalError('choices', 'A choice could not be written to disk', error))
  }

  private async handleRemoval(deviceId: string | null): Promise<void> {
    if (deviceId === null) return warn('This bridge was removed by its owner; its key opens nothing any more.')
    const unit = this.units.get(deviceId)
    if (!unit) return
    unit.stop()
    this.units.delete(deviceId)
    warn(`${unit.camera.registration.nickname} was removed by its owner.`)
    await applyCameraRemoval({ data: this.options.data, client: this.client, choices: this.choices }, deviceId)
  }

  private async welcomed(now: number, homes: readonly WelcomeHome[]): Promise<void> {
    const round = ++this.round
    this.client.learnTime(String(now))
    this.since ??= this.client.now()
    this.homes = homes
    this.leaveHomes(homes)
    this.placeVirtualCameras(homes)
    const registered = knownIn(homes)
    for (const [id, { camera }] of registered) {
      const unit = this.units.get(id)
      const { power, rendition, pip, settings } = camera
      if (unit) this.apply(unit, { power, rendition, pip, settings })
    }
    await this.removeStrangers([...registered.keys()])
    await Promise.all([...this.units.values()].map((unit) => this.register(unit, registered, round)))
    // Sequential: a backfill has many clips, and cameras of one scene share them.
    for (const unit of this.units.values()) if (round === this.round) await this.introduce(unit, homes, registered)
    if (round !== this.round) return
    this.heartbeat.renew()
    this.queue.kick()
    // Logged only once: the process that started the bridge waits for this line.
    if (!this.ready) log('ready')
    this.ready = true
  }

  private leaveHomes(homes: readonly WelcomeHome[]): void {
    for (const [id, unit] of this.units) {
      const { home_id } = unit.camera.registration
      if (isVirtualId(id) && homes.every((home) => home.home_id !== home_id)) this.drop(unit)
    }
  }

  private placeVirtualCameras(homes: readonly WelcomeHome[]): void {
    if (this.options.virtual === 0) return
    const places = placeCameras(this.library.manifest, homes, this.options.virtual)
    places.forEach((place, i) => {
      if (!this.units.has(place.device_id)) this.units.set(place.device_id, this.virtualUnit(place, i, places.length))
    })
  }

  private virtualUnit(place: VirtualCamera, index: number, count: number): VirtualCameraUnit {
    const { client, library, queue, pasts, createPeer } = this
    const { visits, wakeMs } = this.options
    const since = this.since ?? client.now()
    const plan = createCameraPlan(library, place, { startedAt: since, slot: { index, count }, visits })
    const [send, choice] = [this.control.send.bind(this.control), this.choices.of(place.device_id)]
    const parts = { client, library, queue, pasts, createPeer, send, since, choice, wakeMs }
    return new VirtualCameraUnit(place, plan, parts)
  }

  /** Removes former cameras: removed by the owner, or virtual ones that are no longer requested. */
  private async removeStrangers(ids: readonly string[]): Promise<void> {
    const strangers = ids.filter((id) => !this.units.has(id) && (isVirtualId(id) || this.removed.includes(id)))
    const { client, options, removed } = this
    if (await removeStrangers({ client, data: options.data }, strangers, removed)) this.removed = []
  }

  /** Registers a camera under the name its owner gave it. Returns its id at the provider; undefined if it has none. */
  private async register(unit: ManagedCamera, registered: KnownCameras, round: number): Promise<string | undefined> {
    const { camera } = unit
    const nickname = registered.get(camera.deviceId)?.camera.nickname || camera.registration.nickname
    // A camera that the provider already knows can be watched before its registration is renewed.
    if (registered.has(camera.deviceId)) camera.announce()
    const backOff = new BackOff(500, 30_000)
    while (round === this.round) {
      try {
        await this.client.registerCamera(camera.deviceId, { ...camera.registration, nickname })
        camera.announce()
        return camera.deviceId
      } catch (error) {
        if (error instanceof ProviderError && error.status === 410)
          return void (await this.handleRemoval(camera.deviceId))
        if (error instanceof ProviderError && error.status === 403) return void this.unwelcome(unit)
        if (error instanceof ProviderError && error.status === 409) return this.renew(unit, registered, round)
        log(`${nickname} could not be registered: ${getErrorMessage(error)}`)
        if (error instanceof ProviderError && !error.temporary) return undefined
        await new Promise((resolve) => setTimeout(resolve, backOff.next()))
      }
    }
    return this.units.has(camera.deviceId) ? camera.deviceId : undefined
  }

  private async renew(unit: ManagedCamera, registered: KnownCameras, round: number): Promise<string | undefined> {
    const { deviceId, registration } = unit.camera
    const failed = (error: unknown) => log(`${registration.nickname} keeps its previous id: ${getErrorMessage(error)}`)
    const entry = await renewId(this.options.data, deviceId).catch(failed)
    if (!entry) return undefined
    await this.choices.move(deviceId, entry.device_id).catch(failed)
    warn(`${entry.name} counts as another camera now and has a new id.`)
    unit.stop()
    this.units.delete(deviceId)
    return this.register(this.openRtsp(entry, registration.device_order), registered, round)
  }

  /** Handles a rejected registration: the next welcome names a home, or the home has removed this bridge. */
  private unwelcome(unit: ManagedCamera): void {
    if (this.homes.length > 0)
      this.drop(unit, 'Remove it here, or add this bridge to that home again and start it anew.')
  }

  private drop(unit: ManagedCamera, advice = ''): void {
    const { deviceId, registration } = unit.camera
    unit.stop()
    this.units.delete(deviceId)
    warn(`${registration.nickname} is not shown any more: its home does not use this bridge. ${advice}`.trim())
  }

  private async introduce(unit: ManagedCamera, homes: readonly WelcomeHome[], registered: KnownCameras): Promise<void> {
    const entry = registered.get(unit.camera.deviceId)
    const home = entry?.home ?? homes.find((other) => other.home_id === unit.camera.registration.home_id) ?? homes[0]
    await unit.introduce(home?.demo ?? false, (entry?.camera.last_event_ts ?? null) !== null, this.since ?? 0)
  }
}
