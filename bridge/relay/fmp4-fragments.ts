import type { AccessUnit } from '../media/h264/annex-b.ts'
import { collectParameterSets, type ParameterSets } from '../media/h264/parameter-sets.ts'
import { tryReadFrameSize } from '../media/h264/sps.ts'
import { createBox, createFullBox, u32 } from '../media/mp4/boxes.ts'
import { belongsInSample, createMovieBox, createMovieHeader, createSampleEntry } from '../media/mp4/muxer.ts'
import { PACKET_TICKS, SAMPLE_RATE, AUDIO_TRACK_ID, createAudioTrack } from '../media/mp4/audio-track.ts'

const TIMESCALE = 90_000
const VIDEO_TRACK_ID = 1
/** Sample flags (ISO/IEC 14496-12 §8.8.3.1) of a keyframe and of a frame that depends on other frames. */
const SYNC_SAMPLE_FLAGS = 0x0200_0000
const NON_SYNC_SAMPLE_FLAGS = 0x0101_0000

const FILE_TYPE_BOX = createBox('ftyp', Buffer.from('iso5'), u32(0x200), Buffer.from('iso5iso6mp41'))

export interface InitializationSegment {
  /** Codec string for MIME types, such as `avc1.42c01f`. */
  readonly codec: string
  readonly segment: Buffer
}

export interface VideoInitializationSegment extends InitializationSegment {
  readonly sets: ParameterSets
}

/** Creates the video initialization segment. Returns null for a frame without parameter sets, or with invalid ones. */
export function createVideoInitialization(unit: AccessUnit): VideoInitializationSegment | null {
  const sets = collectParameterSets([unit])
  const [sps] = sets?.sps ?? []
  const size = sps && tryReadFrameSize(sps)
  if (!sets || !size) return null
  const track = { sets, ...size, timescale: TIMESCALE, durations: [] }
  const samples = createBox(
    'stbl',
    createFullBox('stsd', 0, 0, u32(1), createSampleEntry(track)),
    ...['stts', 'stsc', 'stco'].map((type) => createFullBox(type, 0, 0, u32(0))),
    createFullBox('stsz', 0, 0, u32(0, 0)),
  )
  return {
    sets,
    codec: `avc1.${sps.subarray(1, 4).toString('hex')}`,
    segment: Buffer.concat([FILE_TYPE_BOX, createMovieBox(track, samples, createExtendsBox(VIDEO_TRACK_ID, 0))]),
  }
}

export function createAudioInitialization(): InitializationSegment {
  const track = createAudioTrack([], { counts: [], offsets: [] }, SAMPLE_RATE)
  const index = createBox(
    'moov',
    createMovieHeader(SAMPLE_RATE, 0, AUDIO_TRACK_ID + 1),
    track,
    createExtendsBox(AUDIO_TRACK_ID, PACKET_TICKS),
  )
  return { codec: 'opus', segment: Buffer.concat([FILE_TYPE_BOX, index]) }
}

/** Builds a fragment of consecutive audio packets. `at`: start in relay time (`RelayClock`), in packets of 20 ms. */
export function createAudioFragment(packets: readonly Buffer[], sequence: number, at: number): Buffer {
  const sizes = u32(...packets.map((packet) => packet.length))
  const run = (offset: number) => createFullBox('trun', 0, 0x0201, u32(packets.length, offset), sizes)
  return createFragment({ track: AUDIO_TRACK_ID, sequence, time: at * PACKET_TICKS, run, data: packets })
}

/** Decode time (`at`), presentation time (`shown`) and duration of a frame, ms of relay time (`RelayClock`). */
interface FrameTimes {
  readonly at: number
  readonly shown: number
  readonly duration: number
}

/** Builds a fragment of one frame. Omits parameter sets that the initialization segment contains. */
export function createVideoFragment(
  unit: AccessUnit,
  sets: ParameterSets,
  sequence: number,
  { at, shown: presentationTime, duration }: FrameTimes,
): Buffer {
  const nals = unit.nals.filter((nal) => belongsInSample(nal, sets))
  const size = nals.reduce((sum, nal) => sum + nal.length + 4, 0)
  const flags = unit.keyframe ? SYNC_SAMPLE_FLAGS : NON_SYNC_SAMPLE_FLAGS
  const time = Math.round(at * 90)
  const sample = [Math.round(duration * 90), size, flags, Math.round(presentationTime * 90) - time]
  const run = (offset: number) => createFullBox('trun', 1, 0x0f01, u32(1, offset, ...sample))
  const data = nals.flatMap((nal) => [u32(nal.length), nal])
  return createFragment({ track: VIDEO_TRACK_ID, sequence, time, run, data })
}

interface FragmentOptions {
  readonly track: number
  readonly sequence: number
  /** Time of the first sample, in ticks of its track. */
  readonly time: number
  readonly data: readonly Buffer[]
  /** Builds the `trun` box. `offset`: bytes from the start of the fragment to its samples. */
  run(offset: number): Buffer
}

function createFragment({ track, sequence, time, run, data }: FragmentOptions): Buffer {
  const timeBytes = Buffer.alloc(8)
  timeBytes.writeBigUInt64BE(BigInt(time))
  const head = (offset: number) =>
    createBox(
      'moof',
      createFullBox('mfhd', 0, 0, u32(sequence)),
      createBox(
        'traf',
        createFullBox('tfhd', 0, 0x02_0000, u32(track)),
        createFullBox('tfdt', 1, 0, timeBytes),
        run(offset),
      ),
    )
  return Buffer.concat([head(head(0).length + 8), createBox('mdat', ...data)])
}

/** Builds the `mvex` box. `duration`: default duration of a sample in ticks. */
const createExtendsBox = (track: number, duration: number) =>
  createBox('mvex', createFullBox('trex', 0, 0, u32(track, 1, duration, 0, 0)))
