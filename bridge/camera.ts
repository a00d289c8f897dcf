import * as v from 'valibot'
import type { BridgeMessage, ProviderMessage, RegisterCamera } from '../contract/bridge.ts'
import { decodePayload, encodePayload, type CameraState, type SignalIn } from '../contract/signalling.ts'
import { log, messageOf } from './log.ts'
import type { Candidate, PeerFactory } from './peers/peer.ts'
import { Viewer } from './peers/viewer.ts'
import type { Source } from './sources/source.ts'

const offer = v.object({ type: v.literal('offer'), sdp: v.string() })
const candidate = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
})
/** Candidates kept for an offer that has not come yet. */
const EARLY_MAX = 50

export interface CameraOptions {
  readonly deviceId: string
  readonly registration: RegisterCamera
  readonly source: Source
  readonly createPeer: PeerFactory
  readonly send: (message: BridgeMessage) => void
  /** ms UTC by the provider's clock. */
  readonly now: () => number
}

/** A camera: its source, its viewers and the state that its owner sees. */
export class Camera {
  readonly deviceId: string
  readonly registration: RegisterCamera
  readonly source: Source
  private readonly options: CameraOptions
  private readonly viewers = new Map<string, Viewer>()
  private readonly early = new Map<string, Candidate[]>()
  private status: { state: CameraState; reason: string }
  private registered = false

  constructor(options: CameraOptions, status: { state: CameraState; reason: string }) {
    this.options = options
    this.deviceId = options.deviceId
    this.registration = options.registration
    this.source = options.source
    this.status = status
  }

  get state(): CameraState {
    return this.status.state
  }

  summary(): { device_id: string; state: CameraState; reason: string } {
    return { device_id: this.deviceId, ...this.status }
  }

  setStatus(state: CameraState, reason: string): void {
    if (state === this.status.state && reason === this.status.reason) return
    this.status = { state, reason }
    this.sendStatus()
  }

  /** The provider knows the camera from now on. */
  announce(): void {
    this.registered = true
    this.sendStatus()
  }

  viewer(viewerId: string, event: 'open' | 'close'): void {
    if (event === 'open') return
    this.early.delete(viewerId)
    this.viewers.get(viewerId)?.end()
  }

  async signal(viewerId: string, message: SignalIn): Promise<void> {
    try {
      if (message.messageType === 'SDP_OFFER') await this.offered(viewerId, message)
      if (message.messageType === 'ICE_CANDIDATE')
        await this.addCandidate(viewerId, v.parse(candidate, decodePayload(message.messagePayload)))
    } catch (error) {
      log(`A viewer of ${this.registration.nickname} could not be served: ${messageOf(error)}`)
    }
  }

  command(message: Extract<ProviderMessage, { type: 'command' }>): void {
    if (message.command === 'rendition') this.source.setRendition(message.name)
    if (message.command === 'keyframe') for (const viewer of this.viewers.values()) viewer.requestKeyframe()
    if (message.command === 'wake') this.sendStatus()
    if (message.command === 'power') this.setPower(message.on)
  }

  stop(): void {
    for (const viewer of this.viewers.values()) viewer.end()
    this.source.stop()
  }

  private setPower(on: boolean): void {
    if (on === (this.status.state !== 'switched_off')) return
    if (on) {
      this.source.start()
      this.setStatus('awake', '')
      return
    }
    this.stop()
    this.setStatus('switched_off', 'The camera is switched off.')
  }

  private async offered(viewerId: string, message: SignalIn): Promise<void> {
    if (this.status.state !== 'awake') return this.sendStatus()
    const { sdp } = v.parse(offer, decodePayload(message.messagePayload))
    this.viewers.get(viewerId)?.end()
    const viewer: Viewer = new Viewer(this.source, this.options.createPeer, () => {
      if (this.viewers.get(viewerId) === viewer) this.viewers.delete(viewerId)
    })
    this.viewers.set(viewerId, viewer)
    const early = this.early.get(viewerId) ?? []
    this.early.delete(viewerId)
    for (const one of early) await viewer.addCandidate(one)
    try {
      this.answer(viewerId, message.senderClientId ?? viewerId, await viewer.answer(sdp))
    } catch (error) {
      viewer.end()
      throw error
    }
  }

  private answer(viewerId: string, recipientClientId: string, sdp: string): void {
    const messagePayload = encodePayload({ type: 'answer', sdp })
    const message = { action: 'SDP_ANSWER', messagePayload, recipientClientId } as const
    this.options.send({ type: 'signal', device_id: this.deviceId, viewer_id: viewerId, message })
  }

  private async addCandidate(viewerId: string, one: Candidate): Promise<void> {
    const viewer = this.viewers.get(viewerId)
    if (viewer) return viewer.addCandidate(one)
    const early = this.early.get(viewerId) ?? []
    if (early.length < EARLY_MAX) this.early.set(viewerId, [...early, one])
  }

  private sendStatus(): void {
    if (!this.registered) return
    this.options.send({ type: 'state', ...this.summary(), at: Math.round(this.options.now()) })
  }
}
