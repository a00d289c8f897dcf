export interface PeerFigures {
  framesDecoded: number
  /** Number of packets. */
  received: number | null
  roundTripMs: number | null
  lost: number | null
  /** Total freeze duration so far, s. */
  frozen: number
}

/** Reads connection statistics: decoded frames, round-trip time in ms, packets received and lost, freezes. */
export async function readStats(pc: RTCPeerConnection): Promise<PeerFigures> {
  const figures: PeerFigures = { framesDecoded: 0, received: null, roundTripMs: null, lost: null, frozen: 0 }
  const report = await pc.getStats()
  report.forEach((entry: Record<string, unknown>) => {
    if (entry.type === 'inbound-rtp' && entry.kind === 'video') {
      figures.frozen = Math.max(figures.frozen, Number(entry.totalFreezesDuration ?? 0))
      figures.framesDecoded += Number(entry.framesDecoded ?? 0)
      figures.received = (figures.received ?? 0) + Number(entry.packetsReceived ?? 0)
      figures.lost = (figures.lost ?? 0) + Number(entry.packetsLost ?? 0)
    }
    if (entry.type === 'candidate-pair' && entry.nominated && typeof entry.currentRoundTripTime === 'number') {
      figures.roundTripMs = entry.currentRoundTripTime * 1000
    }
  })
  return figures
}
