/** The picture, the second picture of a dual camera, the sound. */
export type TrackName = 'main' | 'inset' | 'sound'

/** A WebRTC connection that sends to one viewer, whatever library is behind it. */
export interface Peer {
  /** Tracks that are sent: those that the viewer asked for and the camera has; known once an offer is answered. */
  readonly tracks: ReadonlySet<TrackName>
  /** Answers an offer; the answer holds the candidates. Throws when the offer cannot be answered. */
  answer(offerSdp: string): Promise<string>
  /** A candidate of the viewer, in any order with the offer. */
  addCandidate(candidate: Candidate): Promise<void>
  /** One RTP packet; `timestamp` at 90 kHz, that of sound at 48 kHz. Dropped before the connection stands. */
  send(track: TrackName, payload: Buffer, timestamp: number, marker: boolean): void
  close(): void
}

export interface Candidate {
  readonly candidate: string
  readonly sdpMid?: string | null | undefined
  readonly sdpMLineIndex?: number | null | undefined
}

export interface PeerEvents {
  connected(): void
  /** The viewer lost a picture and asks for a keyframe (PLI or FIR). */
  keyframeWanted(track: TrackName): void
  /** Failed or closed by the other side; at most once. */
  ended(): void
}

/** `has`: the tracks that the camera has. */
export type PeerFactory = (events: PeerEvents, has: ReadonlySet<TrackName>) => Peer
