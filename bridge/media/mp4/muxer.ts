import { getNalType, NAL_TYPE, type AccessUnit, type EncodedFrame } from '../h264/annex-b.ts'
import { collectParameterSets, type ParameterSets } from '../h264/parameter-sets.ts'
import { computePresentationOrder } from '../h264/picture-order-count.ts'
import { readFrameSize } from '../h264/sps.ts'
import { createBox, createFullBox, u16, u32, UNITY_MATRIX } from './boxes.ts'
import { createChunkBoxes, type TrackChunks, alignAudioPackets, createAudioTrack } from './audio-track.ts'

/**
 * Duration of each frame in ticks. The timescale is this number times the frame rate, so that the duration is exact.
 */
const TICKS_PER_FRAME = 1000

export interface MuxerTrack {
  readonly sets: ParameterSets
  readonly width: number
  readonly height: number
  readonly timescale: number
  readonly durations: readonly number[]
  /**
   * Composition offset of each frame in ticks: presentation time minus decode time. It is negative if the frame is
   * presented earlier than decoded.
   */
  readonly shifts: readonly number[]
  readonly sizes: readonly number[]
  /** Sample numbers of the keyframes, counted from 1. */
  readonly keyframes: readonly number[]
}

/**
 * Muxes H.264 frames at a constant whole frame rate into an MP4 that plays while it loads (`moov` first).
 * `audioPackets`: one packet per 20 ms of video. Throws RangeError unless the first frame is a keyframe with parameter
 * sets.
 */
export function muxMp4(frames: readonly EncodedFrame[], fps: number, audioPackets: readonly Buffer[] = []): Buffer {
  return Buffer.concat(
    mux(
      frames,
      fps * TICKS_PER_FRAME,
      frames.map(() => TICKS_PER_FRAME),
      audioPackets,
    ),
  )
}

/**
 * Muxes frames by their timestamps (`pts`). Spaces the frames of each GOP evenly, because the timestamps contain
 * network jitter. Returns the file in `parts` and its `duration` in ms. Throws RangeError like `muxMp4`.
 */
export function muxWithTimes(units: readonly AccessUnit[]): { parts: Buffer[]; duration: number } {
  const starts = units.flatMap((unit, i) => (unit.keyframe ? [i] : []))
  const durations = starts.flatMap((first, gopIndex) => {
    const next = starts[gopIndex + 1]
    const count = (next ?? units.length) - first
    const from = units[first]?.pts ?? 0
    const span = next === undefined ? estimateLastGopMs(units.slice(first)) : (units[next]?.pts ?? 0) - from
    return Array.from({ length: count }, () => Math.max(1, Math.round((span * 90) / count)))
  })
  const duration = durations.reduce((sum, ticks) => sum + ticks, 0) / 90
  const packets = units.flatMap((unit) => unit.sound ?? [])
  return { parts: mux(units, 90_000, durations, alignAudioPackets(packets, units[0]?.pts ?? 0, duration)), duration }
}

/** Returns the duration of the last GOP, ms. Assumes the average frame duration for the last frame. */
function estimateLastGopMs(units: readonly AccessUnit[]): number {
  const span = (units.at(-1)?.pts ?? 0) - (units[0]?.pts ?? 0)
  return units.length > 1 ? (span * units.length) / (units.length - 1) : 66
}

function mux(
  frames: readonly EncodedFrame[],
  timescale: number,
  durations: readonly number[],
  audioPackets: readonly Buffer[] = [],
): Buffer[] {
  const first = frames[0]
  const sets = collectParameterSets(frames)
  const [sps] = sets?.sps ?? []
  if (!first?.keyframe || !sets || !sps)
    throw new RangeError('a clip must start with a keyframe and its parameter sets')
  const samples = frames.map((picture) => picture.nals.filter((nal) => belongsInSample(nal, sets)))
  const sizes = samples.map((nals) => nals.reduce((sum, nal) => sum + nal.length + 4, 0))
  const keyframes = frames.flatMap((picture, i) => (picture.keyframe ? [i + 1] : []))
  const shifts = computeCompositionOffsets(frames, durations)
  const track: MuxerTrack = { sets, ...readFrameSize(sps), timescale, durations, shifts, sizes, keyframes }
  const type = createBox('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'))
  const chunkRanges = splitIntoChunkRanges(track, audioPackets)
  const createIndex = (start: number) => {
    const { picture, heard: soundChunks } = locateChunks(track, audioPackets, chunkRanges, start)
    const more = audioPackets.length > 0 ? [createAudioTrack(audioPackets, soundChunks, timescale)] : []
    return createMovieBox(track, createSampleTable(track, picture), ...more)
  }
  const media = chunkRanges.flatMap(({ pictures: [from, to], sounds }) => [
    ...samples.slice(from, to).flatMap((nals) => nals.flatMap((nal) => [u32(nal.length), nal])),
    ...audioPackets.slice(...sounds),
  ])
  const size = media.reduce((sum, part) => sum + part.length, 8)
  return [type, createIndex(type.length + createIndex(0).length + 8), u32(size), Buffer.from('mdat'), ...media]
}

/** Interleaving unit of the file: a range of frames, followed by a range of audio packets for the same time. */
interface ChunkRange {
  readonly pictures: readonly [number, number]
  readonly sounds: [number, number]
}

/**
 * Splits the frames into chunk ranges. With audio, each GOP is one range, so that a player finds video and audio close
 * together. Without audio, one range holds all frames.
 */
function splitIntoChunkRanges(
  { keyframes, sizes, durations, timescale }: MuxerTrack,
  audioPackets: readonly Buffer[],
): ChunkRange[] {
  const starts = audioPackets.length === 0 ? [0] : keyframes.map((number) => number - 1)
  let packets = 0
  let ticks = 0
  return starts.map((from, i) => {
    const to = starts[i + 1] ?? sizes.length
    ticks += durations.slice(from, to).reduce((sum, duration) => sum + duration, 0)
    const until =
      to === sizes.length ? audioPackets.length : Math.min(audioPackets.length, Math.round((ticks / timescale) * 50))
    const sounds: [number, number] = [packets, until]
    packets = until
    return { pictures: [from, to], sounds }
  })
}

function locateChunks(
  track: MuxerTrack,
  audioPackets: readonly Buffer[],
  chunkRanges: readonly ChunkRange[],
  start: number,
) {
  const videoChunks = { counts: [] as number[], offsets: [] as number[] }
  const audioChunks = { counts: [] as number[], offsets: [] as number[] }
  const addChunk = (chunks: typeof videoChunks, sizes: readonly number[]) => {
    if (sizes.length === 0) return
    chunks.counts.push(sizes.length)
    chunks.offsets.push(start)
    start += sizes.reduce((sum, size) => sum + size, 0)
  }
  for (const { pictures, sounds } of chunkRanges) {
    addChunk(videoChunks, track.sizes.slice(...pictures))
    addChunk(
      audioChunks,
      audioPackets.slice(...sounds).map((packet) => packet.length),
    )
  }
  return { picture: videoChunks, heard: audioChunks }
}

/** Returns false for NAL units that a sample omits: delimiters, and parameter sets of the sample description. */
export function belongsInSample(nal: Buffer, sets: ParameterSets): boolean {
  return getNalType(nal) !== NAL_TYPE.delimiter && !sets.isRedundant(nal)
}

/** Builds the `mvhd` box. `timescale`: ticks per second; `duration`: in ticks. */
export function createMovieHeader(timescale: number, duration: number, nextTrackId: number): Buffer {
  return createFullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, timescale, duration, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    UNITY_MATRIX,
    u32(0, 0, 0, 0, 0, 0, nextTrackId),
  )
}

/**
 * Builds the `moov` box of a file with one video track. `samples`: the `stbl` box of this track. `extraBoxes`: further
 * boxes, such as an audio track.
 */
export function createMovieBox(
  track: Omit<MuxerTrack, 'shifts' | 'sizes' | 'keyframes'>,
  samples: Buffer,
  ...extraBoxes: readonly Buffer[]
): Buffer {
  const { timescale } = track
  const duration = track.durations.reduce((sum, ticks) => sum + ticks, 0)
  const tracks = extraBoxes.filter((extraBox) => extraBox.toString('latin1', 4, 8) === 'trak').length
  const header = createMovieHeader(timescale, duration, 2 + tracks)
  const trackHeader = createFullBox(
    'tkhd',
    0,
    3,
    u32(0, 0, 1, 0, duration, 0, 0),
    u16(0, 0, 0, 0),
    UNITY_MATRIX,
    u32(track.width << 16, track.height << 16),
  )
  const mediaHeader = createFullBox('mdhd', 0, 0, u32(0, 0, timescale, duration), u16(0x55c4, 0))
  const handler = createFullBox('hdlr', 0, 0, u32(0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from('Video\0'))
  const dataReference = createBox('dinf', createFullBox('dref', 0, 0, u32(1), createFullBox('url ', 0, 1)))
  const information = createBox('minf', createFullBox('vmhd', 0, 1, u16(0, 0, 0, 0)), dataReference, samples)
  return createBox(
    'moov',
    header,
    createBox('trak', trackHeader, createBox('mdia', mediaHeader, handler, information)),
    ...extraBoxes,
  )
}

function createSampleTable(track: MuxerTrack, chunks: TrackChunks): Buffer {
  const [stsc = Buffer.alloc(0), stco = Buffer.alloc(0)] = createChunkBoxes(chunks)
  const count = track.sizes.length
  return createBox(
    'stbl',
    createFullBox('stsd', 0, 0, u32(1), createSampleEntry(track)),
    ...createTimeTables(track),
    createFullBox('stss', 0, 0, u32(track.keyframes.length, ...track.keyframes)),
    stsc,
    createFullBox('stsz', 0, 0, u32(0, count, ...track.sizes)),
    stco,
  )
}

/**
 * Computes each frame's composition offset in ticks from its presentation rank. The first frame is presented at 0, so
 * the file needs no edit list.
 */
function computeCompositionOffsets(frames: readonly EncodedFrame[], durations: readonly number[]): number[] {
  let ticks = 0
  const times = durations.map((duration) => (ticks += duration) - duration)
  return computePresentationOrder(frames).map((rank, i) => (times[rank] ?? 0) - (times[i] ?? 0))
}

/** Builds `stts`, and `ctts` if frames are reordered. Uses version 1 of `ctts`, which allows negative offsets. */
function createTimeTables({ durations, shifts }: MuxerTrack): Buffer[] {
  const table = encodeRunLengths(durations)
  const times = createFullBox('stts', 0, 0, u32(table.length, ...table.flat()))
  if (shifts.every((shift) => shift === 0)) return [times]
  const offsetRuns = encodeRunLengths(shifts)
  return [times, createFullBox('ctts', 1, 0, u32(offsetRuns.length, ...offsetRuns.flat()))]
}

function encodeRunLengths(values: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const value of values) {
    const run = runs.at(-1)
    if (run?.[1] === value) run[0]++
    else runs.push([1, value])
  }
  return runs
}

/**
 * Builds the sample entry: `avc3` if parameter sets change, because it allows frames to carry their own sets (ISO/IEC
 * 14496-15 §5.4.2); otherwise `avc1`.
 */
export function createSampleEntry(track: Pick<MuxerTrack, 'sets' | 'width' | 'height'>): Buffer {
  const { sps, pps, change } = track.sets
  const profile = sps[0]?.subarray(1, 4) ?? Buffer.alloc(3)
  const encodeSets = (sets: readonly Buffer[]) => sets.flatMap((set) => [u16(set.length), set])
  const lists = [Buffer.from([0xe0 | sps.length]), ...encodeSets(sps), Buffer.from([pps.length]), ...encodeSets(pps)]
  const configuration = createBox('avcC', Buffer.from([1]), profile, Buffer.from([0xff]), ...lists)
  return createBox(
    change ? 'avc3' : 'avc1',
    u16(0, 0, 0, 1),
    u32(0, 0, 0, 0),
    u16(track.width, track.height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(0x18, 0xffff),
    configuration,
  )
}
