import type { AccessUnit } from '../media/h264/annex-b.ts'
import { parameterSets, type ParameterSets } from '../media/h264/parameter-sets.ts'
import { tryReadPictureSize } from '../media/h264/sps.ts'
import { box, fullBox, u32 } from '../media/mp4/boxes.ts'
import { isSample, movie, movieHeader, sampleEntry } from '../media/mp4/muxer.ts'
import { PACKET_TICKS, RATE, SOUND_TRACK, soundTrack } from '../media/mp4/audio-track.ts'

const TIMESCALE = 90_000
const TRACK = 1
/** Sample flags (ISO/IEC 14496-12 §8.8.3.1): depends on no other sample; depends on others and is no sync sample. */
const SYNC = 0x0200_0000
const NOT_SYNC = 0x0101_0000

const TYPE = box('ftyp', Buffer.from('iso5'), u32(0x200), Buffer.from('iso5iso6mp41'))

export interface InitializationSegment {
  /** Codec string as in MIME types, such as `avc1.42c01f`. */
  readonly codec: string
  readonly segment: Buffer
}

export interface VideoInitializationSegment extends InitializationSegment {
  readonly sets: ParameterSets
}

/** Creates the video initialization segment. Returns null for a frame without parameter sets, or with invalid ones. */
export function createVideoInitialization(unit: AccessUnit): VideoInitializationSegment | null {
  const sets = parameterSets([unit])
  const [sps] = sets?.sps ?? []
  const size = sps && tryReadPictureSize(sps)
  if (!sets || !size) return null
  const track = { sets, ...size, timescale: TIMESCALE, durations: [] }
  const samples = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry(track)),
    ...['stts', 'stsc', 'stco'].map((type) => fullBox(type, 0, 0, u32(0))),
    fullBox('stsz', 0, 0, u32(0, 0)),
  )
  return {
    sets,
    codec: `avc1.${sps.subarray(1, 4).toString('hex')}`,
    segment: Buffer.concat([TYPE, movie(track, samples, extend(TRACK, 0))]),
  }
}

export function createAudioInitialization(): InitializationSegment {
  const track = soundTrack([], { counts: [], offsets: [] }, RATE)
  const index = box('moov', movieHeader(RATE, 0, SOUND_TRACK + 1), track, extend(SOUND_TRACK, PACKET_TICKS))
  return { codec: 'opus', segment: Buffer.concat([TYPE, index]) }
}

/**
 * Builds a fragment of consecutive audio packets. `at`: number of packets before the first one, counted from zero on
 * the player's clock.
 */
export function soundFragment(packets: readonly Buffer[], sequence: number, at: number): Buffer {
  const sizes = u32(...packets.map((packet) => packet.length))
  const run = (offset: number) => fullBox('trun', 0, 0x0201, u32(packets.length, offset), sizes)
  return movieFragment({ track: SOUND_TRACK, sequence, time: at * PACKET_TICKS, run, data: packets })
}

/** Decode time (`at`), presentation time (`shown`) and duration of a frame, ms on the player's clock. */
interface Times {
  readonly at: number
  readonly shown: number
  readonly duration: number
}

/** Builds a fragment of one frame with the parameter sets that the player lacks; `sequence` counts from 1. */
export function fragment(
  unit: AccessUnit,
  sets: ParameterSets,
  sequence: number,
  { at, shown: presentationTime, duration }: Times,
): Buffer {
  const nals = unit.nals.filter((nal) => isSample(nal, sets))
  const size = nals.reduce((sum, nal) => sum + nal.length + 4, 0)
  const flags = unit.keyframe ? SYNC : NOT_SYNC
  const time = Math.round(at * 90)
  const sample = [Math.round(duration * 90), size, flags, Math.round(presentationTime * 90) - time]
  const run = (offset: number) => fullBox('trun', 1, 0x0f01, u32(1, offset, ...sample))
  const data = nals.flatMap((nal) => [u32(nal.length), nal])
  return movieFragment({ track: TRACK, sequence, time, run, data })
}

interface Fragment {
  readonly track: number
  readonly sequence: number
  /** Time of the first sample, in ticks of its track. */
  readonly time: number
  readonly data: readonly Buffer[]
  /** Builds the `trun` box. `offset`: bytes from the start of the fragment to its samples. */
  run(offset: number): Buffer
}

function movieFragment({ track, sequence, time, run, data }: Fragment): Buffer {
  const when = Buffer.alloc(8)
  when.writeBigUInt64BE(BigInt(time))
  const head = (offset: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, u32(sequence)),
      box('traf', fullBox('tfhd', 0, 0x02_0000, u32(track)), fullBox('tfdt', 1, 0, when), run(offset)),
    )
  return Buffer.concat([head(head(0).length + 8), box('mdat', ...data)])
}

/** Builds the `mvex` box. `duration`: default duration of a sample in ticks. */
const extend = (track: number, duration: number) => box('mvex', fullBox('trex', 0, 0, u32(track, 1, duration, 0, 0)))
