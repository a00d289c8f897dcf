import * as v from 'valibot'
import { decodePayload, encodePayload, type SignalIn } from '../../contract/live/signaling.ts'
import type { SignalOut } from '../../contract/live/viewer-messages.ts'
import type { Candidate, PeerFactory } from '../webrtc/peer.ts'
import { Viewer } from '../webrtc/viewer.ts'
import type { Source } from '../sources/video-source.ts'

const offer = v.object({ type: v.literal('offer'), sdp: v.string() })
const candidate = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
})
const rendition = v.object({ name: v.string() })
/** Maximum number of ICE candidates buffered before their offer arrives. */
const EARLY_MAX = 50

interface ViewersOptions {
  readonly source: Source
  readonly createPeer: PeerFactory
  /** Renditions of the camera, from lowest to best. */
  readonly renditions: () => readonly string[]
  /** Best rendition allowed for all viewers, as set before this object was created; undefined if none was set. */
  readonly rendition: string | undefined
  readonly tell: (viewerId: string, message: SignalOut) => void
  /** Called when a viewer joins or leaves. */
  readonly changed: () => void
}

export class CameraViewers {
  private readonly options: ViewersOptions
  private readonly viewers = new Map<string, Viewer>()
  /** Viewers with a signaling socket. */
  private readonly watching = new Set<string>()
  private readonly early = new Map<string, Candidate[]>()
  /** Best rendition that any viewer may get; undefined: no limit. */
  private rendition: string | undefined

  constructor(options: ViewersOptions) {
    this.options = options
    this.rendition = options.rendition
  }

  get isWatched(): boolean {
    return this.viewers.size > 0
  }

  open(viewerId: string): void {
    this.watching.add(viewerId)
  }

  close(viewerId: string): void {
    this.watching.delete(viewerId)
    this.early.delete(viewerId)
    this.viewers.get(viewerId)?.end()
  }

  clearWatching(): void {
    this.watching.clear()
  }

  endAll(): void {
    for (const viewer of this.viewers.values()) viewer.end()
  }

  requestKeyframe(): void {
    for (const viewer of this.viewers.values()) viewer.requestKeyframe()
  }

  /** Sets the best rendition that viewers may get, and notifies all viewers. Returns false if it is already set. */
  setRendition(name: string): boolean {
    if (name === this.rendition) return false
    this.rendition = name
    for (const viewer of this.viewers.values()) this.show(viewer, viewer.wish ?? name)
    const message = { action: 'RENDITION', messagePayload: encodePayload({ name }) } as const
    for (const viewerId of this.watching) this.options.tell(viewerId, message)
    return true
  }

  /** Returns the requested rendition, limited to the one set for all viewers. */
  allowed(wish: string): string {
    const renditions = this.options.renditions()
    const best = this.rendition ?? ''
    return renditions.includes(best) && renditions.indexOf(wish) > renditions.indexOf(best) ? best : wish
  }

  async offered(viewerId: string, message: SignalIn): Promise<void> {
    const { sdp } = v.parse(offer, decodePayload(message.messagePayload))
    this.viewers.get(viewerId)?.end()
    const viewer: Viewer = new Viewer(this.options.source, this.options.createPeer, () => {
      if (this.viewers.get(viewerId) === viewer) this.viewers.delete(viewerId)
      this.options.changed()
    })
    this.viewers.set(viewerId, viewer)
    this.options.changed()
    const early = this.early.get(viewerId) ?? []
    this.early.delete(viewerId)
    for (const iceCandidate of early) await viewer.addCandidate(iceCandidate)
    try {
      const messagePayload = encodePayload({ type: 'answer', sdp: await viewer.answer(sdp) })
      const recipientClientId = message.senderClientId ?? viewerId
      this.options.tell(viewerId, { action: 'SDP_ANSWER', messagePayload, recipientClientId })
    } catch (error) {
      // The viewer left while the answer was being created.
      if (this.viewers.get(viewerId) !== viewer) return
      viewer.end()
      throw error
    }
  }

  /** Changes the rendition of one viewer; ignores a rendition that the camera does not have. */
  wished(viewerId: string, message: SignalIn): void {
    const viewer = this.viewers.get(viewerId)
    const { name } = v.parse(rendition, decodePayload(message.messagePayload))
    if (!viewer || !this.options.renditions().includes(name)) return
    viewer.wish = name
    this.show(viewer, name)
  }

  async addCandidate(viewerId: string, message: SignalIn): Promise<void> {
    const iceCandidate = v.parse(candidate, decodePayload(message.messagePayload))
    const viewer = this.viewers.get(viewerId)
    if (viewer) return viewer.addCandidate(iceCandidate)
    const early = this.early.get(viewerId) ?? []
    if (early.length < EARLY_MAX) this.early.set(viewerId, [...early, iceCandidate])
  }

  private show(viewer: Viewer, wish: string): void {
    viewer.turnTo(this.options.source.rendition(this.allowed(wish)))
  }
}
