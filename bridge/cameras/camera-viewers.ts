import * as v from 'valibot'
import { decodePayload, encodePayload, type SignalFromService } from '../../contract/live/signaling.ts'
import type { SignalToService } from '../../contract/live/viewer-messages.ts'
import type { ReceivedIceCandidate, PeerFactory } from '../webrtc/peer.ts'
import { Viewer } from '../webrtc/viewer.ts'
import type { VideoSource } from '../sources/video-source.ts'

const offerSchema = v.object({ type: v.literal('offer'), sdp: v.string() })
const candidateSchema = v.object({
  candidate: v.string(),
  sdpMid: v.nullish(v.string()),
  sdpMLineIndex: v.nullish(v.number()),
})
const renditionSchema = v.object({ name: v.string() })
/** Maximum number of ICE candidates per viewer that are buffered until the viewer's offer arrives. */
const MAX_EARLY_CANDIDATES = 50

interface ViewersOptions {
  readonly source: VideoSource
  readonly createPeer: PeerFactory
  /** Renditions of the camera, from lowest to best. */
  readonly renditions: () => readonly string[]
  /** Initial value of the best rendition that viewers may get; undefined: no limit. */
  readonly rendition: string | undefined
  readonly sendSignal: (viewerId: string, message: SignalToService) => void
  /** Called when a viewer joins or leaves. */
  readonly onChange: () => void
}

export class CameraViewers {
  readonly #options: ViewersOptions
  readonly #viewers = new Map<string, Viewer>()
  /** Ids of viewers with an open signaling socket. */
  readonly #connectedViewerIds = new Set<string>()
  readonly #earlyCandidates = new Map<string, ReceivedIceCandidate[]>()
  #maxRendition: string | undefined

  constructor(options: ViewersOptions) {
    this.#options = options
    this.#maxRendition = options.rendition
  }

  get isWatched(): boolean {
    return this.#viewers.size > 0
  }

  open(viewerId: string): void {
    this.#connectedViewerIds.add(viewerId)
  }

  close(viewerId: string): void {
    this.#connectedViewerIds.delete(viewerId)
    this.#earlyCandidates.delete(viewerId)
    this.#viewers.get(viewerId)?.end()
  }

  clearConnectedViewers(): void {
    this.#connectedViewerIds.clear()
  }

  endAll(): void {
    for (const viewer of this.#viewers.values()) viewer.end()
  }

  requestKeyframe(): void {
    for (const viewer of this.#viewers.values()) viewer.requestKeyframe()
  }

  /**
   * Sets the best rendition that viewers may get, applies it to all current viewers and notifies them. Returns false if
   * `name` is already the best rendition.
   */
  setRendition(name: string): boolean {
    if (name === this.#maxRendition) return false
    this.#maxRendition = name
    for (const viewer of this.#viewers.values()) this.#showRendition(viewer, viewer.requestedRendition ?? name)
    const message = { action: 'RENDITION', messagePayload: encodePayload({ name }) } as const
    for (const viewerId of this.#connectedViewerIds) this.#options.sendSignal(viewerId, message)
    return true
  }

  /** Returns the requested rendition, or the best allowed rendition if the request exceeds it. */
  limitRendition(requestedRendition: string): string {
    const renditions = this.#options.renditions()
    const best = this.#maxRendition ?? ''
    return renditions.includes(best) && renditions.indexOf(requestedRendition) > renditions.indexOf(best)
      ? best
      : requestedRendition
  }

  async handleOffer(viewerId: string, message: SignalFromService): Promise<void> {
    const { sdp } = v.parse(offerSchema, decodePayload(message.messagePayload))
    this.#viewers.get(viewerId)?.end()
    const viewer: Viewer = new Viewer(this.#options.source, this.#options.createPeer, () => {
      if (this.#viewers.get(viewerId) === viewer) this.#viewers.delete(viewerId)
      this.#options.onChange()
    })
    this.#viewers.set(viewerId, viewer)
    this.#options.onChange()
    const earlyCandidates = this.#earlyCandidates.get(viewerId) ?? []
    this.#earlyCandidates.delete(viewerId)
    for (const iceCandidate of earlyCandidates) await viewer.addCandidate(iceCandidate)
    try {
      const messagePayload = encodePayload({ type: 'answer', sdp: await viewer.answer(sdp) })
      const recipientClientId = message.senderClientId ?? viewerId
      this.#options.sendSignal(viewerId, { action: 'SDP_ANSWER', messagePayload, recipientClientId })
    } catch (error) {
      // Ignore the error if the viewer left or sent a new offer while the answer was being created.
      if (this.#viewers.get(viewerId) !== viewer) return
      viewer.end()
      throw error
    }
  }

  handleRenditionRequest(viewerId: string, message: SignalFromService): void {
    const viewer = this.#viewers.get(viewerId)
    const { name } = v.parse(renditionSchema, decodePayload(message.messagePayload))
    if (!viewer || !this.#options.renditions().includes(name)) return
    viewer.requestedRendition = name
    this.#showRendition(viewer, name)
  }

  async addCandidate(viewerId: string, message: SignalFromService): Promise<void> {
    const iceCandidate = v.parse(candidateSchema, decodePayload(message.messagePayload))
    const viewer = this.#viewers.get(viewerId)
    if (viewer) return viewer.addCandidate(iceCandidate)
    const earlyCandidates = this.#earlyCandidates.get(viewerId) ?? []
    if (earlyCandidates.length < MAX_EARLY_CANDIDATES)
      this.#earlyCandidates.set(viewerId, [...earlyCandidates, iceCandidate])
  }

  #showRendition(viewer: Viewer, requestedRendition: string): void {
    viewer.switchTo(this.#options.source.getRendition(this.limitRendition(requestedRendition)))
  }
}
