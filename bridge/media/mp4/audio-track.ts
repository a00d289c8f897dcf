import { PACKET_MS, type AudioPacket } from '../audio/audio-clock.ts'
import { box, fullBox, u16, u32, UNITY_MATRIX } from './boxes.ts'

export const RATE = 48_000
export const PACKET_TICKS = (RATE * PACKET_MS) / 1000
/** Track id in a file; video is track 1. */
export const SOUND_TRACK = 2
/** Pre-skip that an Opus decoder needs (RFC 7845 §4.2), in samples: the value of libopus. */
const PRE_SKIP = 312
/** 20 ms of silence, mono (RFC 6716 §3.1: CELT, full band, one frame). */
export const SILENCE = Buffer.from([0xf8, 0xff, 0xfe])

/**
 * Returns one packet per 20 ms from `from`, for `duration` ms: fills gaps with silence and drops packets for an
 * occupied slot. Empty if there is no audio at all.
 */
export function evenSound(packets: readonly AudioPacket[], from: number, duration: number): Buffer[] {
  const even: Buffer[] = Array.from({ length: Math.floor(duration / PACKET_MS) }, () => SILENCE)
  let hasAudio = false
  for (const { data, pts } of packets) {
    const at = Math.round((pts - from) / PACKET_MS)
    if (at < 0 || at >= even.length) continue
    even[at] = data
    hasAudio = true
  }
  return hasAudio ? even : []
}

export interface TrackChunks {
  readonly counts: readonly number[]
  readonly offsets: readonly number[]
}

export function chunkBoxes({ counts, offsets }: TrackChunks): Buffer[] {
  const runs = counts.flatMap((count, i) => (count === counts[i - 1] ? [] : [[i + 1, count, 1]]))
  return [
    fullBox('stsc', 0, 0, u32(runs.length, ...runs.flat())),
    fullBox('stco', 0, 0, u32(offsets.length, ...offsets)),
  ]
}

/**
 * Builds an audio track of 20 ms packets (Encapsulation of Opus in ISO Base Media File Format); `movieTicks`: ticks per
 * second of the movie.
 */
export function soundTrack(packets: readonly Buffer[], chunks: TrackChunks, movieTicks: number): Buffer {
  const length = packets.length * PACKET_TICKS
  const [stsc = Buffer.alloc(0), stco = Buffer.alloc(0)] = chunkBoxes(chunks)
  const duration = Math.round((length * movieTicks) / RATE)
  const header = fullBox(
    'tkhd',
    0,
    3,
    u32(0, 0, SOUND_TRACK, 0, duration, 0, 0),
    u16(0, 0, 0x100, 0),
    UNITY_MATRIX,
    u32(0, 0),
  )
  const handler = fullBox('hdlr', 0, 0, u32(0), Buffer.from('soun'), u32(0, 0, 0), Buffer.from('Sound\0'))
  const table = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), opusEntry()),
    fullBox('stts', 0, 0, packets.length === 0 ? u32(0) : u32(1, packets.length, PACKET_TICKS)),
    stsc,
    fullBox('stsz', 0, 0, u32(0, packets.length, ...packets.map((packet) => packet.length))),
    stco,
  )
  const data = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)))
  const media = fullBox('mdhd', 0, 0, u32(0, 0, RATE, length), u16(0x55c4, 0))
  return box('trak', header, box('mdia', media, handler, box('minf', fullBox('smhd', 0, 0, u16(0, 0)), data, table)))
}

function opusEntry(): Buffer {
  const configuration = box('dOps', Buffer.from([0, 1]), u16(PRE_SKIP), u32(RATE), u16(0), Buffer.from([0]))
  return box('Opus', u16(0, 0, 0, 1), u32(0, 0), u16(1, 16, 0, 0), u32(RATE * 0x10000), configuration)
}
