import { PACKET_MS, type AudioPacket } from '../audio/audio-clock.ts'
import { createBox, createFullBox, u16, u32, UNITY_MATRIX } from './boxes.ts'

export const SAMPLE_RATE = 48_000
export const PACKET_TICKS = (SAMPLE_RATE * PACKET_MS) / 1000
/** Track id in a file; video is track 1. */
export const AUDIO_TRACK_ID = 2
/** Pre-skip that an Opus decoder needs (RFC 7845 §4.2), in samples: the value of libopus. */
const PRE_SKIP_SAMPLES = 312
/** 20 ms of silence, mono (RFC 6716 §3.1: CELT, full band, one frame). */
export const SILENT_PACKET = Buffer.from([0xf8, 0xff, 0xfe])

/**
 * Returns one packet per 20 ms slot, starting at `from`, for `duration` ms. An empty slot gets silence; of two packets
 * in a slot, the later one wins. Returns an empty list if all slots are empty.
 */
export function alignAudioPackets(packets: readonly AudioPacket[], from: number, duration: number): Buffer[] {
  const slots: Buffer[] = Array.from({ length: Math.floor(duration / PACKET_MS) }, () => SILENT_PACKET)
  let hasAudio = false
  for (const { data, pts } of packets) {
    const at = Math.round((pts - from) / PACKET_MS)
    if (at < 0 || at >= slots.length) continue
    slots[at] = data
    hasAudio = true
  }
  return hasAudio ? slots : []
}

export interface TrackChunks {
  readonly counts: readonly number[]
  readonly offsets: readonly number[]
}

export function createChunkBoxes({ counts, offsets }: TrackChunks): Buffer[] {
  const runs = counts.flatMap((count, i) => (count === counts[i - 1] ? [] : [[i + 1, count, 1]]))
  return [
    createFullBox('stsc', 0, 0, u32(runs.length, ...runs.flat())),
    createFullBox('stco', 0, 0, u32(offsets.length, ...offsets)),
  ]
}

/**
 * Builds an audio track of 20 ms packets (Encapsulation of Opus in ISO Base Media File Format); `movieTicks`: ticks per
 * second of the movie.
 */
export function createAudioTrack(packets: readonly Buffer[], chunks: TrackChunks, movieTicks: number): Buffer {
  const length = packets.length * PACKET_TICKS
  const [stsc = Buffer.alloc(0), stco = Buffer.alloc(0)] = createChunkBoxes(chunks)
  const duration = Math.round((length * movieTicks) / SAMPLE_RATE)
  const header = createFullBox(
    'tkhd',
    0,
    3,
    u32(0, 0, AUDIO_TRACK_ID, 0, duration, 0, 0),
    u16(0, 0, 0x100, 0),
    UNITY_MATRIX,
    u32(0, 0),
  )
  const handler = createFullBox('hdlr', 0, 0, u32(0), Buffer.from('soun'), u32(0, 0, 0), Buffer.from('Sound\0'))
  const table = createBox(
    'stbl',
    createFullBox('stsd', 0, 0, u32(1), createOpusEntry()),
    createFullBox('stts', 0, 0, packets.length === 0 ? u32(0) : u32(1, packets.length, PACKET_TICKS)),
    stsc,
    createFullBox('stsz', 0, 0, u32(0, packets.length, ...packets.map((packet) => packet.length))),
    stco,
  )
  const data = createBox('dinf', createFullBox('dref', 0, 0, u32(1), createFullBox('url ', 0, 1)))
  const media = createFullBox('mdhd', 0, 0, u32(0, 0, SAMPLE_RATE, length), u16(0x55c4, 0))
  return createBox(
    'trak',
    header,
    createBox('mdia', media, handler, createBox('minf', createFullBox('smhd', 0, 0, u16(0, 0)), data, table)),
  )
}

function createOpusEntry(): Buffer {
  const configuration = createBox(
    'dOps',
    Buffer.from([0, 1]),
    u16(PRE_SKIP_SAMPLES),
    u32(SAMPLE_RATE),
    u16(0),
    Buffer.from([0]),
  )
  return createBox('Opus', u16(0, 0, 0, 1), u32(0, 0), u16(1, 16, 0, 0), u32(SAMPLE_RATE * 0x10000), configuration)
}
