import { fileURLToPath } from 'node:url'
import { BRIDGE_VERSION } from './version.ts'
import type { BridgeMessage, CameraSettings, ProviderMessage, WelcomeCamera } from '../contract/bridge.ts'
import type { IceServers } from '../contract/ice.ts'
import type { RunOptions } from './arguments.ts'
import { BackOff } from './back-off.ts'
import { forgetRemoved, readCameras, removeCamera, renewId, type RtspCamera } from './cameras/cameras.ts'
import { Choices } from './cameras/choices.ts'
import { knownIn, type Home, type KnownCameras } from './cameras/known-cameras.ts'
import { Control } from './uplink/control.ts'
import { deliveries } from './deliveries.ts'
import { fault } from './faults.ts'
import { Heartbeat } from './heartbeat.ts'
import { readIdentity } from './uplink/identity.ts'
import { log, messageOf, warn } from './log.ts'
import { Pasts } from './virtual/pasts.ts'
import { isVirtualId, placeCameras, type VirtualCamera } from './virtual/placement.ts'
import type { PeerFactory } from './peers/peer.ts'
import { rehearse, weriftPeer } from './peers/werift-peer.ts'
import type { Unit } from './cameras/unit.ts'
import { ProviderClient, ProviderError } from './uplink/provider-client.ts'
import { finishInterrupted } from './recording/finish.ts'
import { RecordingQueue } from './recording/queue.ts'
import { RtspCameraUnit } from './cameras/rtsp-cameras.ts'
import { SceneLibrary } from './virtual/scene-library.ts'
import { planOf, VirtualCameraUnit } from './virtual/virtual-cameras.ts'

/** What an owner chooses for a camera. */
type Chosen = Pick<WelcomeCamera, 'power' | 'rendition' | 'pip' | 'settings'>

/** All cameras of one place, connected to one provider. */
export class Bridge {
  private readonly options: RunOptions
  readonly client: ProviderClient
  private readonly library: SceneLibrary
  private readonly control: Control
  private readonly queue: RecordingQueue
  private readonly pasts: Pasts
  private readonly choices: Choices
  private readonly heartbeat: Heartbeat
  private readonly units = new Map<string, Unit>()
  private removed: readonly string[] = []
  /** Since when this run records, ms UTC; known with the first welcome. */
  private since: number | undefined
  /** Counts welcomes: what an older one began is given up. */
  private round = 0
  private ready = false
  /** The homes of the last welcome. */
  private homes: readonly Home[] = []
  /** Of the last welcome too. */
  private iceServers: IceServers = []
  private readonly createPeer: PeerFactory = (events, has) => weriftPeer(events, has, this.iceServers)

  private constructor(options: RunOptions, client: ProviderClient, library: SceneLibrary) {
    this.options = options
    this.client = client
    this.library = library
    this.pasts = new Pasts(options.data)
    this.choices = new Choices(options.data)
    const { list, deliver } = deliveries(client, library, () => this.queue)
    this.queue = new RecordingQueue(options.data, deliver, { limit: options.queueBytes, list })
    this.control = new Control(client, {
      hello: () => this.hello(),
      message: (message) => this.received(message),
    })
    const { queue, units, control } = this
    this.heartbeat = new Heartbeat({ units, queue, library, client, control })
  }

  /** Throws an Error with a sentence when the key, the cameras or the scenes cannot be read. */
  static async open(options: RunOptions): Promise<Bridge> {
    const identity = await readIdentity(options.data)
    const scenes = options.scenes ?? fileURLToPath(new URL('../scenes/', import.meta.url))
    const library = await SceneLibrary.open(scenes)
    const bridge = new Bridge(options, new ProviderClient(options.provider, identity), library)
    await bridge.queue.open()
    await bridge.choices.open()
    await finishInterrupted(bridge.queue)
    await bridge.openRtspCameras()
    return bridge
  }

  start(): void {
    void rehearse()
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
    for (const camera of cameras) camera.forgetWatching()
    const told = cameras.map((camera) => camera.summary())
    return { type: 'hello', version: BRIDGE_VERSION, cameras: told, tells_watched: true }
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

  private received(message: ProviderMessage): void {
    if (message.type === 'pong') return
    if (message.type === 'welcome') {
      this.iceServers = message.ice_servers ?? []
      return void this.welcomed(message.now, message.homes)
    }
    if (message.type === 'removed') return void this.taken(message.device_id)
    const unit = this.units.get(message.device_id)
    if (!unit) return
    const { camera } = unit
    if (message.type === 'viewer') camera.viewer(message.viewer_id, message.event)
    if (message.type === 'signal') void camera.signal(message.viewer_id, message.message)
    if (message.type === 'settings') this.apply(unit, { settings: message.settings })
    if (message.type === 'try_motion') void this.tryMotion(unit, message.trial_id, message.settings)
    if (message.type === 'command') this.command(unit, message)
  }

  private async tryMotion(unit: Unit, trial_id: string, settings: CameraSettings): Promise<void> {
    this.control.send({ type: 'trial', trial_id, trial: await unit.tryMotion(settings) })
  }

  /** Choices are applied and remembered, everything else is done once. */
  private command(unit: Unit, message: Extract<ProviderMessage, { type: 'command' }>): void {
    if (message.command === 'power') this.apply(unit, { power: message.on })
    else if (message.command === 'rendition') this.apply(unit, { rendition: message.name })
    else if (message.command === 'pip') this.apply(unit, { pip: message.swap })
    else unit.camera.command(message)
  }

  /** Makes a camera what its owner has chosen; choosing it again changes nothing. */
  private apply(unit: Unit, chosen: Partial<Chosen>): void {
    const { camera } = unit
    if (chosen.settings) unit.configure(chosen.settings)
    if (chosen.rendition != null) camera.setRendition(chosen.rendition)
    if (chosen.pip !== undefined) camera.source.swap?.(chosen.pip)
    if (chosen.power !== undefined) camera.setPower(chosen.power)
    const since = camera.state === 'switched_off' ? camera.summary().since : null
    this.choices
      .set(camera.deviceId, { ...chosen, since })
      .catch((error: unknown) => fault('choices', 'A choice could not be written to disk', error))
  }

  /** Its owner has removed a camera in the portal, or (null) this bridge. */
  private async taken(deviceId: string | null): Promise<void> {
    if (deviceId === null) return warn('This bridge was removed by its owner; its key opens nothing any more.')
    const unit = this.units.get(deviceId)
    if (!unit) return
    unit.stop()
    this.units.delete(deviceId)
    warn(`${unit.camera.registration.nickname} was removed by its owner.`)
    try {
      await this.choices.forget(deviceId)
      if (!isVirtualId(deviceId)) await removeCamera(this.options.data, deviceId)
      await this.client.removeCamera(deviceId)
      if (!isVirtualId(deviceId)) await forgetRemoved(this.options.data, [deviceId])
    } catch (error) {
      log(`The removal of a camera will be confirmed later: ${messageOf(error)}`)
    }
  }

  private async welcomed(now: number, homes: readonly Home[]): Promise<void> {
    const round = ++this.round
    this.client.learnTime(String(now))
    this.since ??= this.client.now()
    this.homes = homes
    this.leaveHomes(homes)
    this.placeVirtualCameras(homes)
    const known = knownIn(homes)
    for (const [id, { camera }] of known) {
      const unit = this.units.get(id)
      const { power, rendition, pip, settings } = camera
      if (unit) this.apply(unit, { power, rendition, pip, settings })
    }
    await this.removeStrangers([...known.keys()])
    await Promise.all([...this.units.values()].map((unit) => this.register(unit, known, round)))
    // One after the other: a past is many clips, and cameras of one scene share them.
    for (const unit of this.units.values()) if (round === this.round) await this.introduce(unit, homes, known)
    if (round !== this.round) return
    this.heartbeat.renew()
    this.queue.kick()
    this.sayReady()
  }

  /** Once: whoever started the bridge waits for this line. */
  private sayReady(): void {
    if (!this.ready) log('ready')
    this.ready = true
  }

  /** Virtual cameras go with the home that they were in. */
  private leaveHomes(homes: readonly Home[]): void {
    for (const [id, unit] of this.units) {
      const { home_id } = unit.camera.registration
      if (isVirtualId(id) && homes.every((home) => home.home_id !== home_id)) this.drop(unit)
    }
  }

  private placeVirtualCameras(homes: readonly Home[]): void {
    if (this.options.virtual === 0) return
    const places = placeCameras(this.library.manifest, homes, this.options.virtual)
    places.forEach((place, i) => {
      if (!this.units.has(place.device_id)) this.units.set(place.device_id, this.virtualUnit(place, i, places.length))
    })
  }

  private virtualUnit(place: VirtualCamera, index: number, count: number): VirtualCameraUnit {
    const since = this.since ?? this.client.now()
    const plan = planOf(this.library, place, since, { index, count })
    const { client, library, queue, pasts, createPeer } = this
    const send = this.control.send.bind(this.control)
    const choice = this.choices.of(place.device_id)
    const parts = { client, library, queue, pasts, createPeer, send, since, choice, wakeMs: this.options.wakeMs }
    return new VirtualCameraUnit(place, plan, parts)
  }

  /** Cameras that this bridge once had: taken away by its owner, or virtual ones that are no longer asked for. */
  private async removeStrangers(known: readonly string[]): Promise<void> {
    const strangers = known.filter((id) => !this.units.has(id) && (isVirtualId(id) || this.removed.includes(id)))
    try {
      for (const id of strangers) await this.client.removeCamera(id)
      if (this.removed.length > 0) await forgetRemoved(this.options.data, this.removed)
      this.removed = []
    } catch (error) {
      log(`A camera could not be removed at the provider: ${messageOf(error)}`)
    }
  }

  private async register(unit: Unit, known: KnownCameras, round: number): Promise<void> {
    const { camera } = unit
    // Its owner may have named it otherwise in the portal.
    const nickname = known.get(camera.deviceId)?.camera.nickname || camera.registration.nickname
    const backOff = new BackOff(500, 30_000)
    while (round === this.round) {
      try {
        await this.client.registerCamera(camera.deviceId, { ...camera.registration, nickname })
        return camera.announce()
      } catch (error) {
        if (error instanceof ProviderError && error.status === 410) return this.taken(camera.deviceId)
        if (error instanceof ProviderError && error.status === 403) return this.unwelcome(unit)
        if (error instanceof ProviderError && error.status === 409) return this.renew(unit, known, round)
        log(`${nickname} could not be registered: ${messageOf(error)}`)
        if (error instanceof ProviderError && !error.temporary) return
        await new Promise((resolve) => setTimeout(resolve, backOff.next()))
      }
    }
  }

  /** Its id is not to be had: it goes on under another one. */
  private async renew(unit: Unit, known: KnownCameras, round: number): Promise<void> {
    const { deviceId, registration } = unit.camera
    const failed = (error: unknown) => log(`${registration.nickname} goes on under its old id: ${messageOf(error)}`)
    const entry = await renewId(this.options.data, deviceId).catch(failed)
    if (!entry) return
    await this.choices.move(deviceId, entry.device_id).catch(failed)
    warn(`${entry.name} is taken for another camera, and goes on under a new id.`)
    unit.stop()
    this.units.delete(deviceId)
    return this.register(this.openRtsp(entry, registration.device_order), known, round)
  }

  /** It cannot be registered: there is no home yet, then the next welcome names one, or its home has let go of this bridge. */
  private unwelcome(unit: Unit): void {
    if (this.homes.length > 0)
      this.drop(unit, 'Remove it here, or add this bridge to that home again and start it anew.')
  }

  private drop(unit: Unit, advice = ''): void {
    const { deviceId, registration } = unit.camera
    unit.stop()
    this.units.delete(deviceId)
    warn(`${registration.nickname} is not shown any more: its home does not use this bridge. ${advice}`.trim())
  }

  private async introduce(unit: Unit, homes: readonly Home[], known: KnownCameras): Promise<void> {
    const entry = known.get(unit.camera.deviceId)
    const home = entry?.home ?? homes.find((one) => one.home_id === unit.camera.registration.home_id) ?? homes[0]
    await unit.introduce(home?.demo ?? false, (entry?.camera.last_event_ts ?? null) !== null, this.since ?? 0)
  }
}
