/** A WebRTC connection that sends one video track, whatever library is behind it. */
export interface Peer {
  /** Answers an offer; the answer holds the host candidates. Throws when the offer cannot be answered. */
  answer(offerSdp: string): Promise<string>
  /** A candidate of the viewer, in any order with the offer. */
  addCandidate(candidate: Candidate): Promise<void>
  /** One RTP packet; `timestamp` at 90 kHz. Dropped before the connection stands. */
  send(payload: Buffer, timestamp: number, marker: boolean): void
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
  keyframeWanted(): void
  /** Failed or closed by the other side; at most once. */
  ended(): void
}

export type PeerFactory = (events: PeerEvents) => Peer
