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
import { SnapshotSource } from '../relay/snapshots.ts'
import type { Source } from '../sources/video-source.ts'

export interface CameraOptions {
  readonly deviceId: string
  readonly registration: RegisterCamera
  readonly source: Source
  readonly createPeer: PeerFactory
  /** Opens a relay connection to the provider; no relay if undefined. */
  readonly openRelay?: OpenRelay | undefined
  /** Stores a JPEG as the last picture; no snapshots on demand if undefined. */
  readonly storePicture?: ((jpeg: Buffer) => Promise<void>) | undefined
  /** Starts or stops the camera. Returns the resulting status, which is used only after a start. */
  readonly onPower: (on: boolean) => Status
  readonly rendition?: string | null
  /** Present if the owner switched the camera off; `since`: ms UTC. */
  readonly off?: { readonly since: number | null } | undefined
  /** Time to wake, ms. If set, the camera sleeps while it has no viewers. */
  readonly wakeMs?: number | undefined
  readonly send: (message: BridgeMessage) => void
  /** Returns the current time, ms UTC by the provider's clock. */
  readonly now: () => number
}

const ASLEEP: Status = { state: 'asleep', reason: '' }
const OFF: Status = { state: 'switched_off', reason: 'The camera is switched off.' }

/**
 * Controls power and sleep of a camera, and connects its video source, its viewers and the state that its owner sees.
 */
export class CameraController {
  readonly deviceId: string
  registration: RegisterCamera
  readonly source: Source
  private readonly options: CameraOptions
  private readonly status: CameraStatus
  private readonly viewers: CameraViewers
  private readonly battery: Battery | undefined
  private readonly relays: Relays | undefined
  private readonly snapshots: SnapshotSource | undefined
  private powered: boolean

  constructor(options: CameraOptions) {
    const { deviceId, registration, source, send, now } = options
    this.options = options
    this.deviceId = deviceId
    this.registration = registration
    this.source = source
    this.powered = options.off === undefined
    this.viewers = this.createViewers()
    this.relays = options.openRelay && this.createRelays(options.openRelay)
    this.snapshots = options.storePicture && new SnapshotSource(source, options.storePicture)
    this.battery = options.wakeMs === undefined ? undefined : this.createBattery(options.wakeMs)
    const since = options.off?.since ?? now()
    this.status = new CameraStatus({ deviceId, send, now, since }, this.powered ? ASLEEP : OFF)
    if (this.powered) this.status.initialize(this.switchOn())
  }

  get state(): CameraState {
    return this.status.state
  }

  /** Returns the current state; `since` is ms UTC by the provider's clock. */
  summary(): ReturnType<CameraStatus['summary']> {
    return this.status.summary()
  }

  setTrouble(trouble: string): void {
    this.status.setTrouble(trouble)
  }

  setStatus(state: CameraState, reason: string): void {
    if (this.powered) this.status.change({ state, reason })
  }

  setPower(on: boolean): void {
    if (on === this.powered) return
    this.powered = on
    if (on) return this.status.change(this.switchOn())
    this.endViewers()
    this.battery?.stop()
    this.options.onPower(false)
    this.status.change(OFF)
  }

  setRendition(name: string): void {
    if (this.viewers.setRendition(name)) this.relays?.turn()
  }

  announce(): void {
    this.status.announce()
  }

  /** Clears the viewers on reconnect: the provider then reports the open signaling sockets again. */
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

  /** A snapshot viewer counts as watching and keeps a battery camera awake for another minute. */
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
