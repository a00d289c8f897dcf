import type { CameraState } from '../../contract/cameras/devices.ts'
import type { BridgeMessage, ProviderMessage, RegisterCameraRequest } from '../../contract/bridge/bridge-protocol.ts'
import { EXTRA_TRACK_OFFSETS } from '../../contract/live/relay-protocol.ts'
import type { SignalFromService } from '../../contract/live/signaling.ts'
import { BatterySleep } from './battery-sleep.ts'
import { CameraStatus, type CameraStateWithReason } from './camera-status.ts'
import { CameraViewers } from './camera-viewers.ts'
import { reportInternalError } from '../runtime/internal-errors.ts'
import type { PeerFactory } from '../webrtc/peer.ts'
import type { OpenRelay } from '../relay/video-relay.ts'
import { CameraRelays } from '../relay/camera-relays.ts'
import { SnapshotSource } from '../relay/snapshots.ts'
import type { VideoSource } from '../sources/video-source.ts'

export interface CameraOptions {
  readonly deviceId: string
  readonly registration: RegisterCameraRequest
  readonly source: VideoSource
  readonly createPeer: PeerFactory
  /** Opens a relay connection to the provider. If undefined, the camera has no relay. */
  readonly openRelay?: OpenRelay | undefined
  /** Stores a JPEG as the last picture. If undefined, the camera takes no snapshots. */
  readonly storePicture?: ((jpeg: Buffer) => Promise<void>) | undefined
  /** Starts or stops the camera. Returns its new status, which applies only after a start and only without `wakeMs`. */
  readonly onPower: (on: boolean) => CameraStateWithReason
  readonly rendition?: string | null
  /** Present if the owner switched the camera off; `since`: ms UTC. */
  readonly off?: { readonly since: number | null } | undefined
  /** Time that the camera needs to wake, ms. If undefined, the camera never sleeps. */
  readonly wakeMs?: number | undefined
  readonly send: (message: BridgeMessage) => void
  /** Returns the current time, ms UTC by the provider's clock. */
  readonly now: () => number
}

const ASLEEP_STATUS: CameraStateWithReason = { state: 'asleep', reason: '' }
const SWITCHED_OFF_STATUS: CameraStateWithReason = { state: 'switched_off', reason: 'The camera is turned off.' }

/**
 * Controls power and sleep of a camera, and connects its video source, its viewers and the state that its owner sees.
 */
export class CameraController {
  readonly deviceId: string
  registration: RegisterCameraRequest
  readonly source: VideoSource
  readonly #options: CameraOptions
  readonly #status: CameraStatus
  readonly #viewers: CameraViewers
  readonly #battery: BatterySleep | undefined
  readonly #relays: CameraRelays | undefined
  readonly #snapshots: SnapshotSource | undefined
  #isPoweredOn: boolean

  constructor(options: CameraOptions) {
    const { deviceId, registration, source, send, now } = options
    this.#options = options
    this.deviceId = deviceId
    this.registration = registration
    this.source = source
    this.#isPoweredOn = options.off === undefined
    this.#viewers = this.#createViewers()
    this.#relays = options.openRelay && this.#createRelays(options.openRelay)
    this.#snapshots = options.storePicture && new SnapshotSource(source, options.storePicture)
    this.#battery = options.wakeMs === undefined ? undefined : this.#createBattery(options.wakeMs)
    const since = options.off?.since ?? now()
    this.#status = new CameraStatus(
      { deviceId, send, now, since },
      this.#isPoweredOn ? ASLEEP_STATUS : SWITCHED_OFF_STATUS,
    )
    if (this.#isPoweredOn) this.#status.initialize(this.#switchOn())
  }

  get state(): CameraState {
    return this.#status.state
  }

  getSummary(): ReturnType<CameraStatus['getSummary']> {
    return this.#status.getSummary()
  }

  setProblem(problem: string): void {
    this.#status.setProblem(problem)
  }

  setStatus(state: CameraState, reason: string): void {
    if (this.#isPoweredOn) this.#status.change({ state, reason })
  }

  /** True while a viewer gets video from the camera. */
  get isWatched(): boolean {
    return this.#viewers.isWatched || this.#relays?.isWatched === true
  }

  setPower(on: boolean): void {
    if (on === this.#isPoweredOn) return
    this.#isPoweredOn = on
    if (on) return this.#status.change(this.#switchOn())
    this.#endViewers()
    this.#battery?.stop()
    this.#options.onPower(false)
    this.#status.change(SWITCHED_OFF_STATUS)
  }

  setRendition(name: string): void {
    if (this.#viewers.setRendition(name)) this.#relays?.updateStreams()
  }

  announce(): void {
    this.#status.announce()
  }

  /**
   * Discards the list of connected viewers, because the provider reports all open signaling sockets again after a
   * reconnect.
   */
  clearConnectedViewers(): void {
    this.#viewers.clearConnectedViewers()
  }

  handleViewerEvent(viewerId: string, event: 'open' | 'close'): void {
    if (event === 'open') this.#viewers.open(viewerId)
    else this.#viewers.close(viewerId)
  }

  async handleSignal(viewerId: string, message: SignalFromService): Promise<void> {
    try {
      if (message.messageType === 'SDP_OFFER') await this.#handleOffer(viewerId, message)
      if (message.messageType === 'RENDITION') this.#viewers.handleRenditionRequest(viewerId, message)
      if (message.messageType === 'ICE_CANDIDATE') await this.#viewers.addCandidate(viewerId, message)
    } catch (error) {
      reportInternalError('viewer', `Live video from ${this.registration.nickname} couldn't be sent to a viewer`, error)
    }
  }

  handleCommand(message: Extract<ProviderMessage, { type: 'command' }>): void {
    if (message.command === 'keyframe') this.#viewers.requestKeyframe()
    if (message.command === 'wake') this.#wake()
    if (message.command === 'relay') this.#startRelay(message.rendition)
    if (message.command === 'snapshot') this.#captureSnapshot()
  }

  stop(): void {
    this.#endViewers()
    this.#battery?.stop()
    this.source.stop()
  }

  #wake(): void {
    if (this.#isPoweredOn && this.#battery) this.#battery.wake()
    else this.#status.sendState()
  }

  #createBattery(wakeMs: number): BatterySleep {
    const waking = () => this.setStatus('waking', '')
    const awake = () => this.setStatus('awake', '')
    const asleep = () => this.setStatus('asleep', '')
    return new BatterySleep({ onWaking: waking, onAwake: awake, onAsleep: asleep }, wakeMs)
  }

  #switchOn(): CameraStateWithReason {
    const status = this.#options.onPower(true)
    return this.#battery ? ASLEEP_STATUS : status
  }

  #endViewers(): void {
    this.#viewers.endAll()
    this.#relays?.end()
  }

  #createViewers(): CameraViewers {
    const { deviceId, source, createPeer, send, rendition } = this.#options
    return new CameraViewers({
      source,
      createPeer,
      rendition: rendition ?? undefined,
      renditions: () => this.registration.renditions,
      sendSignal: (viewer_id, message) => send({ type: 'signal', device_id: deviceId, viewer_id, message }),
      onChange: () => this.#updateBatteryWatch(),
    })
  }

  #startRelay(rendition = ''): void {
    const isKnown =
      rendition === '' ||
      Object.hasOwn(EXTRA_TRACK_OFFSETS, rendition) ||
      this.registration.renditions.includes(rendition)
    if (this.state === 'awake' && isKnown) this.#relays?.start(rendition)
  }

  #createRelays(openRelay: OpenRelay): CameraRelays {
    return new CameraRelays({
      deviceId: this.deviceId,
      openRelay,
      source: this.source,
      getRenditionFrames: (name) =>
        name === '' ? this.source : this.source.getRendition(this.#viewers.limitRendition(name)),
      onChange: () => this.#updateBatteryWatch(),
    })
  }

  /** Captures a snapshot if the camera is awake. A battery camera then stays awake for at least another minute. */
  #captureSnapshot(): void {
    if (this.state !== 'awake') return
    this.#battery?.wake()
    void this.#snapshots?.capture()
  }

  #updateBatteryWatch(): void {
    this.#battery?.setWatched(this.isWatched)
  }

  async #handleOffer(viewerId: string, message: SignalFromService): Promise<void> {
    if (this.state !== 'awake') this.#status.sendState()
    else await this.#viewers.handleOffer(viewerId, message)
  }
}
