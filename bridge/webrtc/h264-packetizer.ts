import { nalType, NAL } from '../media/h264/annex-b.ts'

/** Maximum bytes of RTP payload in a packet: 1,200 less the RTP header, its extensions and the SRTP tag. */
export const PAYLOAD_MAX = 1120

const STAP_A = 24
const FU_A = 28

/**
 * Returns the RTP payloads of one frame (RFC 6184, packetization-mode 1): parameter sets in one STAP-A, small NALs
 * unchanged, larger ones as FU-A. The last payload carries the marker. The sender sets `seq` and timestamps.
 */
export function packetize(nals: readonly Buffer[], max = PAYLOAD_MAX): Buffer[] {
  const payloads: Buffer[] = []
  let sets: Buffer[] = []
  for (const nal of nals) {
    const type = nalType(nal)
    if (type === NAL.sps || type === NAL.pps) {
      sets.push(nal)
      continue
    }
    flushSets(sets, payloads, max)
    sets = []
    addNal(nal, payloads, max)
  }
  flushSets(sets, payloads, max)
  return payloads
}

function addNal(nal: Buffer, payloads: Buffer[], max: number): void {
  if (nal.length <= max) payloads.push(nal)
  else fragment(nal, payloads, max)
}

function flushSets(sets: readonly Buffer[], payloads: Buffer[], max: number): void {
  const size = sets.reduce((sum, nal) => sum + nal.length + 2, 1)
  if (sets.length < 2 || size > max) {
    for (const nal of sets) addNal(nal, payloads, max)
    return
  }
  const payload = Buffer.allocUnsafe(size)
  payload[0] = STAP_A | Math.max(...sets.map((nal) => (nal[0] ?? 0) & 0x60))
  let at = 1
  for (const nal of sets) {
    at = payload.writeUInt16BE(nal.length, at)
    at += nal.copy(payload, at)
  }
  payloads.push(payload)
}

/** All fragments of a NAL share one allocation. */
function fragment(nal: Buffer, payloads: Buffer[], max: number): void {
  const header = nal[0] ?? 0
  const chunk = max - 2
  const count = Math.ceil((nal.length - 1) / chunk)
  const block = Buffer.allocUnsafe(nal.length - 1 + count * 2)
  let at = 0
  for (let i = 0; i < count; i++) {
    const from = 1 + i * chunk
    const to = Math.min(nal.length, from + chunk)
    const begin = at
    block[at++] = (header & 0xe0) | FU_A
    block[at++] = (header & 0x1f) | (i === 0 ? 0x80 : 0) | (to === nal.length ? 0x40 : 0)
    at += nal.copy(block, at, from, to)
    payloads.push(block.subarray(begin, at))
  }
}
