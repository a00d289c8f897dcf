export type TrackName = 'main' | 'inset' | 'sound'

/** A WebRTC connection to one viewer, independent of the library. */
export interface SenderPeer {
  /** Tracks that the viewer requested and the camera has; known once an offer is answered. */
  readonly tracks: ReadonlySet<TrackName>
  /** Returns the SDP answer with its candidates. Throws if the offer cannot be answered. */
  answer(offerSdp: string): Promise<string>
  addCandidate(candidate: Candidate): Promise<void>
  /** Sends one RTP packet; `timestamp` is at 90 kHz, for audio at 48 kHz. Dropped until connected. */
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
  /** The viewer lost a frame and requests a keyframe (PLI or FIR). */
  keyframeWanted(track: TrackName): void
  /** The connection failed or the other side closed it; at most once. */
  ended(): void
}

/** has: tracks of the camera. */
export type PeerFactory = (events: PeerEvents, has: ReadonlySet<TrackName>) => SenderPeer
