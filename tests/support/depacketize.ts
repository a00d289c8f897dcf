/** Extracts the NAL units of RTP payloads according to RFC 6184. */
export function depacketize(payloads: readonly Buffer[]): Buffer[] {
  const nals: Buffer[] = []
  let parts: Buffer[] = []
  for (const payload of payloads) {
    const indicator = payload[0] ?? 0
    const type = indicator & 31
    if (type === 24) {
      for (let at = 1; at < payload.length; at += 2 + payload.readUInt16BE(at)) {
        nals.push(payload.subarray(at + 2, at + 2 + payload.readUInt16BE(at)))
      }
    } else if (type === 28) {
      const header = payload[1] ?? 0
      if (header & 0x80) parts = [Buffer.from([(indicator & 0xe0) | (header & 31)])]
      parts.push(payload.subarray(2))
      if (header & 0x40) nals.push(Buffer.concat(parts))
    } else nals.push(payload)
  }
  return nals
}
