import * as v from 'valibot'
import type { BridgeMessage, ProviderMessage, RegisterCamera } from '../../contract/bridge.ts'
import { RELAY_BESIDE } from '../../contract/relay.ts'
import { decodePayload, encodePayload, type CameraState, type SignalIn } from '../../contract/signalling.ts'
import type { SignalOut } from '../../contract/signal-out.ts'
import { Battery } from './battery.ts'
import { log, messageOf } from '../log.ts'
import type { Candidate, PeerFactory } from '../peers/peer.ts'
import { Viewer } from '../peers/viewer.ts'
import type { OpenRelay } from '../relay/relay.ts'
import { Relays } from '../relay/relays.ts'
import { Snapshots } from '../relay/snapshots.ts'
import type { Source } from '../sources/source.ts'

const offer = v.object({ type: v.literal('offer'), sdp: v.string() })
const candidate = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
})
const rendition = v.object({ name: v.string() })
/** Candidates kept for an offer that has not come yet. */
const EARLY_MAX = 50

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

export interface Status {
  readonly state: CameraState
  /** One sentence for the owner, empty while all is well. */
  readonly reason: string
}

const ASLEEP: Status = { state: 'asleep', reason: '' }
const OFF: Status = { state: 'switched_off', reason: 'The camera is switched off.' }

/** A camera: its source, its viewers and the state that its owner sees. */
export class Camera {
  readonly deviceId: string
  registration: RegisterCamera
  readonly source: Source
  private readonly options: CameraOptions
  private readonly viewers = new Map<string, Viewer>()
  /** Viewers with a signalling socket. */
  private readonly watching = new Set<string>()
  private readonly early = new Map<string, Candidate[]>()
  private readonly battery: Battery | undefined
  private readonly relays: Relays | undefined
  private readonly snapshots: Snapshots | undefined
  private status: Status
  /** What its owner should know although it can be watched; empty: nothing. */
  private trouble = ''
  /** Since when it is in this state, by the provider's clock. */
  private since: number
  private powered: boolean
  private registered = false
  /** No viewer gets a better rendition than this. */
  private rendition: string | undefined

  /** Begins with the power that its owner has chosen. */
  constructor(options: CameraOptions) {
    this.options = options
    this.deviceId = options.deviceId
    this.registration = options.registration
    this.source = options.source
    this.since = Math.round(options.off?.since ?? options.now())
    this.powered = options.off === undefined
    this.rendition = options.rendition ?? undefined
    this.relays = options.openRelay && this.relaysOf(options.openRelay)
    this.snapshots = options.storePicture && new Snapshots(this.source, options.storePicture)
    this.battery = options.wakeMs === undefined ? undefined : this.batteryOf(options.wakeMs)
    this.status = this.powered ? ASLEEP : OFF
    if (this.powered) this.status = this.switchOn()
  }

  get state(): CameraState {
    return this.status.state
  }

  /** `since` by the provider's clock, ms UTC. */
  summary(): { device_id: string; state: CameraState; reason: string; since: number } {
    const { state, reason } = this.status
    const isThere = state === 'awake' || state === 'asleep'
    return { device_id: this.deviceId, state, reason: reason || (isThere ? this.trouble : ''), since: this.since }
  }

  /** What is wrong beside its picture, as a sentence; empty: nothing any more. */
  setTrouble(trouble: string): void {
    if (trouble === this.trouble) return
    this.trouble = trouble
    this.sendStatus(Math.round(this.options.now()))
  }

  /** Left alone while the camera is switched off. */
  setStatus(state: CameraState, reason: string): void {
    if (this.powered) this.change({ state, reason })
  }

  /** Switched on or off; saying it twice changes nothing. */
  setPower(on: boolean): void {
    if (on === this.powered) return
    this.powered = on
    if (on) return this.change(this.switchOn())
    this.endViewers()
    this.battery?.stop()
    this.options.onPower(false)
    this.change(OFF)
  }

  /** Chosen for all who watch; saying it twice changes nothing. */
  setRendition(name: string): void {
    if (name === this.rendition) return
    this.rendition = name
    for (const viewer of this.viewers.values()) this.show(viewer, viewer.wish ?? name)
    this.relays?.turn()
    const message = { action: 'RENDITION', messagePayload: encodePayload({ name }) } as const
    for (const viewerId of this.watching) this.tell(viewerId, message)
  }

  /** The provider knows the camera from now on. */
  announce(): void {
    this.registered = true
    this.sendStatus()
  }

  /** The connection to the provider begins anew, which tells then who has a signalling socket. */
  forgetWatching(): void {
    this.watching.clear()
  }

  viewer(viewerId: string, event: 'open' | 'close'): void {
    if (event === 'open') return void this.watching.add(viewerId)
    this.watching.delete(viewerId)
    this.early.delete(viewerId)
    this.viewers.get(viewerId)?.end()
  }

  async signal(viewerId: string, message: SignalIn): Promise<void> {
    try {
      if (message.messageType === 'SDP_OFFER') await this.offered(viewerId, message)
      if (message.messageType === 'RENDITION') this.wished(viewerId, message)
      if (message.messageType === 'ICE_CANDIDATE')
        await this.addCandidate(viewerId, v.parse(candidate, decodePayload(message.messagePayload)))
    } catch (error) {
      log(`A viewer of ${this.registration.nickname} could not be served: ${messageOf(error)}`)
    }
  }

  command(message: Extract<ProviderMessage, { type: 'command' }>): void {
    if (message.command === 'keyframe') for (const viewer of this.viewers.values()) viewer.requestKeyframe()
    if (message.command === 'wake') this.wake()
    if (message.command === 'relay') this.startRelay(message.rendition)
    if (message.command === 'snapshot') this.takeSnapshot()
  }

  stop(): void {
    this.endViewers()
    this.battery?.stop()
    this.source.stop()
  }

  private wake(): void {
    if (this.powered && this.battery) this.battery.wake()
    else this.sendStatus()
  }

  private batteryOf(wakeMs: number): Battery {
    const waking = () => this.setStatus('waking', '')
    const awake = () => this.setStatus('awake', '')
    const asleep = () => this.setStatus('asleep', '')
    return new Battery({ waking, awake, asleep }, wakeMs)
  }

  private switchOn(): Status {
    const status = this.options.onPower(true)
    return this.battery ? ASLEEP : status
  }

  private change(status: Status): void {
    if (status.state === this.status.state && status.reason === this.status.reason) return
    // Another reason for the same state does not begin it anew.
    if (status.state !== this.status.state) this.since = Math.round(this.options.now())
    this.status = status
    this.sendStatus()
  }

  private endViewers(): void {
    for (const viewer of this.viewers.values()) viewer.end()
    this.relays?.end()
  }

  private startRelay(rendition = ''): void {
    const isKnown =
      rendition === '' || Object.hasOwn(RELAY_BESIDE, rendition) || this.registration.renditions.includes(rendition)
    if (this.status.state === 'awake' && isKnown) this.relays?.begin(rendition)
  }

  private relaysOf(openRelay: OpenRelay): Relays {
    return new Relays({
      ...{ deviceId: this.deviceId, openRelay, source: this.source },
      picturesOf: (name) => (name === '' ? this.source : this.source.rendition(this.allowed(name))),
      changed: () => this.noteWatching(),
    })
  }

  /** Whoever looks at single pictures watches too, and keeps a battery awake for another minute. */
  private takeSnapshot(): void {
    if (this.status.state !== 'awake') return
    this.battery?.wake()
    void this.snapshots?.take()
  }

  private noteWatching(): void {
    this.battery?.watch(this.viewers.size > 0 || this.relays?.isWatched === true)
  }

  private async offered(viewerId: string, message: SignalIn): Promise<void> {
    if (this.status.state !== 'awake') return this.sendStatus()
    const { sdp } = v.parse(offer, decodePayload(message.messagePayload))
    this.viewers.get(viewerId)?.end()
    const viewer: Viewer = new Viewer(this.source, this.options.createPeer, () => {
      if (this.viewers.get(viewerId) === viewer) this.viewers.delete(viewerId)
      this.noteWatching()
    })
    this.viewers.set(viewerId, viewer)
    this.noteWatching()
    const early = this.early.get(viewerId) ?? []
    this.early.delete(viewerId)
    for (const one of early) await viewer.addCandidate(one)
    try {
      this.answer(viewerId, message.senderClientId ?? viewerId, await viewer.answer(sdp))
    } catch (error) {
      // It left while the answer was made.
      if (this.viewers.get(viewerId) !== viewer) return
      viewer.end()
      throw error
    }
  }

  private answer(viewerId: string, recipientClientId: string, sdp: string): void {
    const messagePayload = encodePayload({ type: 'answer', sdp })
    this.tell(viewerId, { action: 'SDP_ANSWER', messagePayload, recipientClientId })
  }

  private tell(viewerId: string, message: SignalOut): void {
    this.options.send({ type: 'signal', device_id: this.deviceId, viewer_id: viewerId, message })
  }

  private wished(viewerId: string, message: SignalIn): void {
    const viewer = this.viewers.get(viewerId)
    const { name } = v.parse(rendition, decodePayload(message.messagePayload))
    if (!viewer || !this.registration.renditions.includes(name)) return
    viewer.wish = name
    this.show(viewer, name)
  }

  private show(viewer: Viewer, wish: string): void {
    viewer.turnTo(this.source.rendition(this.allowed(wish)))
  }

  /** The wish, or what was chosen for all where the wish is for more. */
  private allowed(wish: string): string {
    const { renditions } = this.registration
    const best = this.rendition ?? ''
    return renditions.includes(best) && renditions.indexOf(wish) > renditions.indexOf(best) ? best : wish
  }

  private async addCandidate(viewerId: string, one: Candidate): Promise<void> {
    const viewer = this.viewers.get(viewerId)
    if (viewer) return viewer.addCandidate(one)
    const early = this.early.get(viewerId) ?? []
    if (early.length < EARLY_MAX) this.early.set(viewerId, [...early, one])
  }

  private sendStatus(at = this.since): void {
    if (!this.registered) return
    const { device_id, state, reason } = this.summary()
    this.options.send({ type: 'state', device_id, state, reason, at })
  }
}
