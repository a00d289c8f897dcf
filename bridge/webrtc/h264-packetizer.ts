import { getNalType, NAL_TYPE } from '../media/h264/annex-b.ts'

/** Maximum RTP payload, bytes: a packet of 1,200 bytes less the RTP header, its extensions and the SRTP tag. */
export const MAX_PAYLOAD_BYTES = 1120

const STAP_A_TYPE = 24
const FU_A_TYPE = 28

/**
 * Returns the RTP payloads of one frame (RFC 6184, packetization-mode 1): adjacent parameter sets in one STAP-A if they
 * fit, small NAL units unchanged, larger NAL units as FU-A. The caller must set the marker on the last packet.
 */
export function packetize(nals: readonly Buffer[], maxBytes = MAX_PAYLOAD_BYTES): Buffer[] {
  const payloads: Buffer[] = []
  let parameterSets: Buffer[] = []
  for (const nal of nals) {
    const type = getNalType(nal)
    if (type === NAL_TYPE.sps || type === NAL_TYPE.pps) {
      parameterSets.push(nal)
      continue
    }
    addParameterSets(parameterSets, payloads, maxBytes)
    parameterSets = []
    addNal(nal, payloads, maxBytes)
  }
  addParameterSets(parameterSets, payloads, maxBytes)
  return payloads
}

function addNal(nal: Buffer, payloads: Buffer[], maxBytes: number): void {
  if (nal.length <= maxBytes) payloads.push(nal)
  else addFragments(nal, payloads, maxBytes)
}

function addParameterSets(parameterSets: readonly Buffer[], payloads: Buffer[], maxBytes: number): void {
  const size = parameterSets.reduce((sum, nal) => sum + nal.length + 2, 1)
  if (parameterSets.length < 2 || size > maxBytes) {
    for (const nal of parameterSets) addNal(nal, payloads, maxBytes)
    return
  }
  const payload = Buffer.allocUnsafe(size)
  payload[0] = STAP_A_TYPE | Math.max(...parameterSets.map((nal) => (nal[0] ?? 0) & 0x60))
  let at = 1
  for (const nal of parameterSets) {
    at = payload.writeUInt16BE(nal.length, at)
    at += nal.copy(payload, at)
  }
  payloads.push(payload)
}

/** Splits a NAL unit into FU-A payloads, which share one allocation. */
function addFragments(nal: Buffer, payloads: Buffer[], maxBytes: number): void {
  const header = nal[0] ?? 0
  const fragmentBytes = maxBytes - 2
  const count = Math.ceil((nal.length - 1) / fragmentBytes)
  const block = Buffer.allocUnsafe(nal.length - 1 + count * 2)
  let at = 0
  for (let i = 0; i < count; i++) {
    const from = 1 + i * fragmentBytes
    const to = Math.min(nal.length, from + fragmentBytes)
    const begin = at
    block[at++] = (header & 0xe0) | FU_A_TYPE
    block[at++] = (header & 0x1f) | (i === 0 ? 0x80 : 0) | (to === nal.length ? 0x40 : 0)
    at += nal.copy(block, at, from, to)
    payloads.push(block.subarray(begin, at))
  }
}
