import type { BridgeMessage, ProviderMessage, RegisterCamera } from '../../contract/bridge/bridge-protocol.ts'
import { RELAY_BESIDE } from '../../contract/live/relay-protocol.ts'
import type { CameraState, SignalIn } from '../../contract/live/signaling.ts'
import { Battery } from './battery-sleep.ts'
import { CameraStatus, type Status } from './camera-status.ts'
import { CameraViewers } from './camera-viewers.ts'
import { reportInternalError } from '../runtime/internal-errors.ts'
import type { PeerFactory } from '../webrtc/peer.ts'
import type { OpenRelay } from '../relay/video-relay.ts'
import { Relays } from '../relay/camera-relays.ts'
import { Snapshots } from '../relay/snapshots.ts'
import type { Source } from '../sources/video-source.ts'

export interface CameraOptions {
  readonly deviceId: string
  readonly registration: RegisterCamera
  readonly source: Source
  readonly createPeer: PeerFactory
  /** How its pictures reach the provider's relay; left out: they do not. */
  readonly openRelay?: OpenRelay | undefined
  /** Keeps a JPEG as its last picture; left out: none are made on demand. */
  readonly storePicture?: ((jpeg: Buffer) => Promise<void>) | undefined
  /** Starts or stops what the camera does; when started answers the state that it then is in. */
  readonly onPower: (on: boolean) => Status
  /** The rendition that was chosen before for all who watch. */
  readonly rendition?: string | null
  /** What the owner chose before: off since when, ms UTC. */
  readonly off?: { readonly since: number | null } | undefined
  /** Sleeps while nobody watches, and takes this long to wake, ms. */
  readonly wakeMs?: number | undefined
  readonly send: (message: BridgeMessage) => void
  /** ms UTC by the provider's clock. */
  readonly now: () => number
}

const ASLEEP: Status = { state: 'asleep', reason: '' }
const OFF: Status = { state: 'switched_off', reason: 'The camera is switched off.' }

/** A camera: its power and its sleep, between its source, its viewers and the state that its owner sees. */
export class Camera {
  readonly deviceId: string
  registration: RegisterCamera
  readonly source: Source
  private readonly options: CameraOptions
  private readonly status: CameraStatus
  private readonly viewers: CameraViewers
  private readonly battery: Battery | undefined
  private readonly relays: Relays | undefined
  private readonly snapshots: Snapshots | undefined
  private powered: boolean

  /** Begins with the power that its owner has chosen. */
  constructor(options: CameraOptions) {
    const { deviceId, registration, source, send, now } = options
    this.options = options
    this.deviceId = deviceId
    this.registration = registration
    this.source = source
    this.powered = options.off === undefined
    this.viewers = this.createViewers()
    this.relays = options.openRelay && this.createRelays(options.openRelay)
    this.snapshots = options.storePicture && new Snapshots(source, options.storePicture)
    this.battery = options.wakeMs === undefined ? undefined : this.createBattery(options.wakeMs)
    const since = options.off?.since ?? now()
    this.status = new CameraStatus({ deviceId, send, now, since }, this.powered ? ASLEEP : OFF)
    if (this.powered) this.status.initialize(this.switchOn())
  }

  get state(): CameraState {
    return this.status.state
  }

  /** `since` by the provider's clock, ms UTC. */
  summary(): ReturnType<CameraStatus['summary']> {
    return this.status.summary()
  }

  /** What is wrong beside its picture, as a sentence; empty: nothing any more. */
  setTrouble(trouble: string): void {
    this.status.setTrouble(trouble)
  }

  /** Left alone while the camera is switched off. */
  setStatus(state: CameraState, reason: string): void {
    if (this.powered) this.status.change({ state, reason })
  }

  /** Switched on or off; saying it twice changes nothing. */
  setPower(on: boolean): void {
    if (on === this.powered) return
    this.powered = on
    if (on) return this.status.change(this.switchOn())
    this.endViewers()
    this.battery?.stop()
    this.options.onPower(false)
    this.status.change(OFF)
  }

  /** Chosen for all who watch; saying it twice changes nothing. */
  setRendition(name: string): void {
    if (this.viewers.setRendition(name)) this.relays?.turn()
  }

  /** The provider knows the camera from now on. */
  announce(): void {
    this.status.announce()
  }

  /** The connection to the provider begins anew, which tells then who has a signalling socket. */
  clearWatching(): void {
    this.viewers.clearWatching()
  }

  viewer(viewerId: string, event: 'open' | 'close'): void {
    if (event === 'open') this.viewers.open(viewerId)
    else this.viewers.close(viewerId)
  }

  async signal(viewerId: string, message: SignalIn): Promise<void> {
    try {
      if (message.messageType === 'SDP_OFFER') await this.offered(viewerId, message)
      if (message.messageType === 'RENDITION') this.viewers.wished(viewerId, message)
      if (message.messageType === 'ICE_CANDIDATE') await this.viewers.addCandidate(viewerId, message)
    } catch (error) {
      reportInternalError('viewer', `A viewer of ${this.registration.nickname} could not be served`, error)
    }
  }

  command(message: Extract<ProviderMessage, { type: 'command' }>): void {
    if (message.command === 'keyframe') this.viewers.requestKeyframe()
    if (message.command === 'wake') this.wake()
    if (message.command === 'relay') this.startRelay(message.rendition)
    if (message.command === 'snapshot') this.captureSnapshot()
  }

  stop(): void {
    this.endViewers()
    this.battery?.stop()
    this.source.stop()
  }

  private wake(): void {
    if (this.powered && this.battery) this.battery.wake()
    else this.status.send()
  }

  private createBattery(wakeMs: number): Battery {
    const waking = () => this.setStatus('waking', '')
    const awake = () => this.setStatus('awake', '')
    const asleep = () => this.setStatus('asleep', '')
    return new Battery({ waking, awake, asleep }, wakeMs)
  }

  private switchOn(): Status {
    const status = this.options.onPower(true)
    return this.battery ? ASLEEP : status
  }

  private endViewers(): void {
    this.viewers.endAll()
    this.relays?.end()
  }

  private createViewers(): CameraViewers {
    const { deviceId, source, createPeer, send, rendition } = this.options
    return new CameraViewers({
      source,
      createPeer,
      rendition: rendition ?? undefined,
      renditions: () => this.registration.renditions,
      tell: (viewer_id, message) => send({ type: 'signal', device_id: deviceId, viewer_id, message }),
      changed: () => this.updateBatteryWatch(),
    })
  }

  private startRelay(rendition = ''): void {
    const isKnown =
      rendition === '' || Object.hasOwn(RELAY_BESIDE, rendition) || this.registration.renditions.includes(rendition)
    if (this.state === 'awake' && isKnown) this.relays?.start(rendition)
  }

  private createRelays(openRelay: OpenRelay): Relays {
    return new Relays({
      deviceId: this.deviceId,
      openRelay,
      source: this.source,
      picturesOf: (name) => (name === '' ? this.source : this.source.rendition(this.viewers.allowed(name))),
      changed: () => this.updateBatteryWatch(),
    })
  }

  /** Whoever looks at single pictures watches too, and keeps a battery awake for another minute. */
  private captureSnapshot(): void {
    if (this.state !== 'awake') return
    this.battery?.wake()
    void this.snapshots?.capture()
  }

  private updateBatteryWatch(): void {
    this.battery?.watch(this.viewers.isWatched || this.relays?.isWatched === true)
  }

  private async offered(viewerId: string, message: SignalIn): Promise<void> {
    if (this.state !== 'awake') this.status.send()
    else await this.viewers.offered(viewerId, message)
  }
}
