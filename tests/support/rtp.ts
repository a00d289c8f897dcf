import { spawnSync } from 'node:child_process'

export const AUDIO_PACKET_MS = 20
/** 20 ms of G.711 µ-law: a 500 Hz tone with a period of 16 samples. */
export const TONE_20MS = Buffer.from(Array.from({ length: 160 }, (_, i) => (i % 16 < 8 ? 0x90 : 0x10)))
/** Audio encodings of the fake camera: RTP encoding name, and bytes per 20 ms (RFC 3551 §4.5). */
export const AUDIO_ENCODINGS = {
  tone: { name: 'PCMU', bytes: 160 },
  g726: { name: 'G726-32', bytes: 80 },
  unreadable: { name: 'X-UNKNOWN', bytes: 160 },
} as const

export function encodeG726Tone(): Buffer {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000:duration=8', '-c:a', 'g726le', '-b:a', '32k']
  return spawnSync('ffmpeg', ['-loglevel', 'error', ...tone, '-f', 'g726le', 'pipe:1']).stdout
}

export interface RtpHeader {
  readonly type: number
  readonly sequence: number
  readonly timestamp: number
  readonly marker: boolean
}

/** Builds an RTP packet (RFC 3550 §5.1). The SSRC is derived from `stream`. */
export function buildRtpPacket(
  stream: number,
  payload: Buffer,
  { type, sequence, timestamp, marker }: RtpHeader,
): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt8(0x80, 0)
  head.writeUInt8((marker ? 0x80 : 0) | type, 1)
  head.writeUInt16BE(sequence & 0xffff, 2)
  head.writeUInt32BE(timestamp >>> 0, 4)
  head.writeUInt32BE(0x1234 + stream, 8)
  return Buffer.concat([head, payload])
}

/** Adds the header that interleaves a packet into the RTSP connection (RFC 2326 §10.12). */
export function wrapInterleaved(channel: number, packet: Buffer): Buffer {
  const head = Buffer.from([0x24, channel, 0, 0])
  head.writeUInt16BE(packet.length, 2)
  return Buffer.concat([head, packet])
}
