export type TrackName = 'main' | 'inset' | 'sound'

/** WebRTC connection to one viewer, independent of the WebRTC library. */
export interface SenderPeer {
  /** Tracks that the viewer requested and the camera has; empty until an offer is answered. */
  readonly tracks: ReadonlySet<TrackName>
  /** Returns the SDP answer with its candidates. Throws if the offer cannot be answered. */
  answer(offerSdp: string): Promise<string>
  addCandidate(candidate: ReceivedIceCandidate): Promise<void>
  /**
   * Sends one RTP packet, or drops it while not connected. `timestamp` counts at 90 kHz for video and at 48 kHz for
   * audio.
   */
  send(track: TrackName, payload: Buffer, timestamp: number, marker: boolean): void
  close(): void
}

export interface ReceivedIceCandidate {
  readonly candidate: string
  readonly sdpMid?: string | null | undefined
  readonly sdpMLineIndex?: number | null | undefined
}

export interface PeerEvents {
  connected(): void
  /** Called when the viewer has lost a frame and requests a keyframe (PLI). */
  keyframeWanted(track: TrackName): void
  /** Called when the connection fails or the viewer closes it; at most once. */
  ended(): void
}

export type PeerFactory = (events: PeerEvents, cameraTracks: ReadonlySet<TrackName>) => SenderPeer
