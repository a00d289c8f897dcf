export interface PeerStats {
  framesDecoded: number
  received: number | null
  roundTripMs: number | null
  lost: number | null
  /** Total freeze duration so far, s; with an inset, the larger value of the two videos. */
  frozen: number
}

/**
 * Reads statistics of the received videos, and the round-trip time. Counts of main video and inset are added up. Packet
 * counts and round-trip time are null until the browser reports them.
 */
export async function readPeerStats(pc: RTCPeerConnection): Promise<PeerStats> {
  const stats: PeerStats = { framesDecoded: 0, received: null, roundTripMs: null, lost: null, frozen: 0 }
  const report = await pc.getStats()
  report.forEach((entry: Record<string, unknown>) => {
    if (entry.type === 'inbound-rtp' && entry.kind === 'video') {
      stats.frozen = Math.max(stats.frozen, Number(entry.totalFreezesDuration ?? 0))
      stats.framesDecoded += Number(entry.framesDecoded ?? 0)
      stats.received = (stats.received ?? 0) + Number(entry.packetsReceived ?? 0)
      stats.lost = (stats.lost ?? 0) + Number(entry.packetsLost ?? 0)
    }
    if (entry.type === 'candidate-pair' && entry.nominated && typeof entry.currentRoundTripTime === 'number') {
      stats.roundTripMs = entry.currentRoundTripTime * 1000
    }
  })
  return stats
}
