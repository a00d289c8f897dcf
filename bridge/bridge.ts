import { fileURLToPath } from 'node:url'
import { BRIDGE_VERSION } from './version.ts'
import type { ProviderMessage } from '../contract/bridge.ts'
import type { RunOptions } from './arguments.ts'
import { BackOff } from './back-off.ts'
import type { Camera } from './camera.ts'
import { forgetRemoved, readCameras } from './cameras.ts'
import { Control } from './control.ts'
import { readIdentity } from './identity.ts'
import { log, messageOf } from './log.ts'
import { Pasts } from './pasts.ts'
import { isVirtualId, placeCameras, type VirtualCamera } from './placement.ts'
import { rehearse } from './peers/werift-peer.ts'
import { ProviderClient, ProviderError } from './provider-client.ts'
import { RecordingQueue } from './queue.ts'
import { RtspCameraUnit } from './rtsp-cameras.ts'
import { SceneLibrary } from './scene-library.ts'
import { deliverRecording, VirtualCameraUnit } from './virtual-cameras.ts'

type Home = Extract<ProviderMessage, { type: 'welcome' }>['homes'][number]
interface Unit {
  readonly camera: Camera
  introduce(demo: boolean, hasEvents: boolean, until: number): Promise<void>
  stop(): void
}

/** All cameras of one place, connected to one provider. */
export class Bridge {
  private readonly options: RunOptions
  private readonly client: ProviderClient
  private readonly library: SceneLibrary
  private readonly control: Control
  private readonly queue: RecordingQueue
  private readonly pasts: Pasts
  private readonly units = new Map<string, Unit>()
  private removed: readonly string[] = []
  /** Since when this run records, ms UTC; known with the first welcome. */
  private since: number | undefined
  /** Counts welcomes: what an older one began is given up. */
  private round = 0
  private ready = false

  private constructor(options: RunOptions, client: ProviderClient, library: SceneLibrary) {
    this.options = options
    this.client = client
    this.library = library
    this.pasts = new Pasts(options.data)
    this.queue = new RecordingQueue(options.data, (happening) => deliverRecording(client, library, happening))
    this.control = new Control(client, {
      hello: () => ({
        type: 'hello',
        version: BRIDGE_VERSION,
        cameras: [...this.units.values()].map((unit) => unit.camera.summary()),
      }),
      message: (message) => this.received(message),
    })
  }

  /** Throws an Error with a sentence when the key, the cameras or the scenes cannot be read. */
  static async open(options: RunOptions): Promise<Bridge> {
    const identity = await readIdentity(options.data)
    const scenes = options.scenes ?? fileURLToPath(new URL('../scenes/', import.meta.url))
    const library = await SceneLibrary.open(scenes)
    const bridge = new Bridge(options, new ProviderClient(options.provider, identity), library)
    await bridge.queue.open()
    await bridge.openRtspCameras()
    return bridge
  }

  start(): void {
    void rehearse()
    this.control.start()
  }

  async stop(): Promise<void> {
    this.round++
    this.queue.stop()
    for (const unit of this.units.values()) unit.stop()
    this.control.stop()
  }

  private async openRtspCameras(): Promise<void> {
    const { cameras, removed } = await readCameras(this.options.data)
    this.removed = removed
    const parts = { client: this.client, send: this.control.send.bind(this.control) }
    cameras.forEach((camera, i) => this.units.set(camera.device_id, new RtspCameraUnit(camera, 100 + i, parts)))
  }

  private received(message: ProviderMessage): void {
    if (message.type === 'pong') return
    if (message.type === 'welcome') return void this.welcomed(message.now, message.homes)
    if (message.type === 'settings' || message.type === 'removed') return
    const camera = this.units.get(message.device_id)?.camera
    if (message.type === 'viewer') camera?.viewer(message.viewer_id, message.event)
    if (message.type === 'signal') void camera?.signal(message.viewer_id, message.message)
    if (message.type === 'command') camera?.command(message)
  }

  private async welcomed(now: number, homes: readonly Home[]): Promise<void> {
    const round = ++this.round
    this.client.learnTime(String(now))
    this.since ??= this.client.now()
    this.placeVirtualCameras(homes)
    const known = new Map(
      homes.flatMap((home) => home.cameras.map((camera) => [camera.device_id, { home, camera }] as const)),
    )
    await this.removeStrangers([...known.keys()])
    await Promise.all([...this.units.values()].map((unit) => this.register(unit, known, round)))
    // One after the other: a past is many clips, and cameras of one scene share them.
    for (const unit of this.units.values()) if (round === this.round) await this.introduce(unit, homes, known)
    if (round !== this.round) return
    this.queue.kick()
    this.sayReady()
  }

  /** Once: whoever started the bridge waits for this line. */
  private sayReady(): void {
    if (!this.ready) log('ready')
    this.ready = true
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
    const input = {
      cameraId: place.device_id,
      scene: this.library.scene(place.scene),
      fps: this.library.manifest.fps,
      utcOffsetMinutes: -new Date().getTimezoneOffset(),
      startedAt: Math.round(since),
      slot: { index, count },
    }
    const { client, library, queue, pasts } = this
    const send = this.control.send.bind(this.control)
    const parts = { client, library, queue, pasts, send, since }
    return new VirtualCameraUnit(place, { scene: place.scene, input }, parts)
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
        log(`${nickname} could not be registered: ${messageOf(error)}`)
        if (error instanceof ProviderError && !error.temporary) return
        await new Promise((resolve) => setTimeout(resolve, backOff.next()))
      }
    }
  }

  private async introduce(unit: Unit, homes: readonly Home[], known: KnownCameras): Promise<void> {
    const entry = known.get(unit.camera.deviceId)
    const home = entry?.home ?? homes.find((one) => one.home_id === unit.camera.registration.home_id) ?? homes[0]
    await unit.introduce(home?.demo ?? false, (entry?.camera.last_event_ts ?? null) !== null, this.since ?? 0)
  }
}

type KnownCameras = ReadonlyMap<string, { readonly home: Home; readonly camera: Home['cameras'][number] }>
