import { nalType, NAL, type AccessUnit, type Picture } from '../h264/annex-b.ts'
import { parameterSets, type ParameterSets } from '../h264/parameter-sets.ts'
import { shownOrder } from '../h264/picture-order-count.ts'
import { pictureSize } from '../h264/sps.ts'
import { box, fullBox, u16, u32, UNITY_MATRIX } from './boxes.ts'
import { chunkBoxes, type TrackChunks, evenSound, soundTrack } from './audio-track.ts'

/** Ticks per frame: gives every whole frame rate an exact duration. */
const TICKS = 1000

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
  /** Sample numbers of the keyframes; the first sample is number 1. */
  readonly keyframes: readonly number[]
}

/**
 * Muxes a progressive MP4 (moov first, to play while loading) of H.264 frames at a constant whole frame rate. Throws
 * RangeError unless the first frame is a keyframe with parameter sets that all frames share. `sound`: as in `mux`.
 */
export function muxMp4(pictures: readonly Picture[], fps: number, sound: readonly Buffer[] = []): Buffer {
  return Buffer.concat(
    mux(
      pictures,
      fps * TICKS,
      pictures.map(() => TICKS),
      sound,
    ),
  )
}

/**
 * Muxes frames with their own times, in parts to be written in order; `duration` in ms. Frames of a GOP are spaced
 * evenly, because arrival times say more about the network than about the camera.
 */
export function muxTimed(units: readonly AccessUnit[]): { parts: Buffer[]; duration: number } {
  const starts = units.flatMap((unit, i) => (unit.keyframe ? [i] : []))
  const durations = starts.flatMap((first, group) => {
    const next = starts[group + 1]
    const count = (next ?? units.length) - first
    const from = units[first]?.pts ?? 0
    const span = next === undefined ? lastSpan(units.slice(first)) : (units[next]?.pts ?? 0) - from
    return Array.from({ length: count }, () => Math.max(1, Math.round((span * 90) / count)))
  })
  const duration = durations.reduce((sum, ticks) => sum + ticks, 0) / 90
  const packets = units.flatMap((unit) => unit.sound ?? [])
  return { parts: mux(units, 90_000, durations, evenSound(packets, units[0]?.pts ?? 0, duration)), duration }
}

/**
 * Returns the duration of the last GOP. Its end is unknown, so its last frame gets the average duration of the others.
 */
function lastSpan(units: readonly AccessUnit[]): number {
  const span = (units.at(-1)?.pts ?? 0) - (units[0]?.pts ?? 0)
  return units.length > 1 ? (span * units.length) / (units.length - 1) : 66
}

/** Builds the parts of an MP4 file. `sound`: one packet per 20 ms of video; empty for no audio. */
function mux(
  pictures: readonly Picture[],
  timescale: number,
  durations: readonly number[],
  sound: readonly Buffer[] = [],
): Buffer[] {
  const first = pictures[0]
  const sets = parameterSets(pictures)
  const [sps] = sets?.sps ?? []
  if (!first?.keyframe || !sets || !sps) throw new RangeError('a clip begins with a keyframe and its parameter sets')
  const samples = pictures.map((picture) => picture.nals.filter((nal) => isSample(nal, sets)))
  const sizes = samples.map((nals) => nals.reduce((sum, nal) => sum + nal.length + 4, 0))
  const keyframes = pictures.flatMap((picture, i) => (picture.keyframe ? [i + 1] : []))
  const shifts = compositionOffsets(pictures, durations)
  const track: MuxerTrack = { sets, ...pictureSize(sps), timescale, durations, shifts, sizes, keyframes }
  const type = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'))
  const portions = splitIntoPortions(track, sound)
  const index = (start: number) => {
    const { picture, heard: soundChunks } = locateChunks(track, sound, portions, start)
    const more = sound.length > 0 ? [soundTrack(sound, soundChunks, timescale)] : []
    return movie(track, sampleTable(track, picture), ...more)
  }
  const media = portions.flatMap(({ pictures: [from, to], sounds }) => [
    ...samples.slice(from, to).flatMap((nals) => nals.flatMap((nal) => [u32(nal.length), nal])),
    ...sound.slice(...sounds),
  ])
  const size = media.reduce((sum, part) => sum + part.length, 8)
  return [type, index(type.length + index(0).length + 8), u32(size), Buffer.from('mdat'), ...media]
}

/** Interleaving unit of the file: a range of frames, then the audio of the same time. */
interface Portion {
  readonly pictures: readonly [number, number]
  readonly sounds: [number, number]
}

/**
 * Splits a file into portions. With audio, each GOP is one portion, so that a player finds its audio nearby; without
 * audio, the file is one portion.
 */
function splitIntoPortions(
  { keyframes, sizes, durations, timescale }: MuxerTrack,
  sound: readonly Buffer[],
): Portion[] {
  const starts = sound.length === 0 ? [0] : keyframes.map((number) => number - 1)
  let packets = 0
  let ticks = 0
  return starts.map((from, i) => {
    const to = starts[i + 1] ?? sizes.length
    ticks += durations.slice(from, to).reduce((sum, duration) => sum + duration, 0)
    const until = to === sizes.length ? sound.length : Math.min(sound.length, Math.round((ticks / timescale) * 50))
    const sounds: [number, number] = [packets, until]
    packets = until
    return { pictures: [from, to], sounds }
  })
}

function locateChunks(track: MuxerTrack, sound: readonly Buffer[], portions: readonly Portion[], start: number) {
  const picture = { counts: [] as number[], offsets: [] as number[] }
  const soundChunks = { counts: [] as number[], offsets: [] as number[] }
  const place = (chunks: typeof picture, sizes: readonly number[]) => {
    if (sizes.length === 0) return
    chunks.counts.push(sizes.length)
    chunks.offsets.push(start)
    start += sizes.reduce((sum, size) => sum + size, 0)
  }
  for (const { pictures, sounds } of portions) {
    place(picture, track.sizes.slice(...pictures))
    place(
      soundChunks,
      sound.slice(...sounds).map((packet) => packet.length),
    )
  }
  return { picture, heard: soundChunks }
}

/**
 * Returns true if a NAL unit belongs into a sample: no delimiter, and no parameter set that the sample description
 * already contains.
 */
export function isSample(nal: Buffer, sets: ParameterSets): boolean {
  return nalType(nal) !== NAL.delimiter && !sets.describes(nal)
}

/** Builds the `mvhd` box. `next`: next unused track id. */
export function movieHeader(timescale: number, duration: number, next: number): Buffer {
  return fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, timescale, duration, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    UNITY_MATRIX,
    u32(0, 0, 0, 0, 0, 0, next),
  )
}

/** Builds the moov box of a file with one video track, its sample table and further boxes. */
export function movie(
  track: Omit<MuxerTrack, 'shifts' | 'sizes' | 'keyframes'>,
  samples: Buffer,
  ...more: readonly Buffer[]
): Buffer {
  const { timescale } = track
  const duration = track.durations.reduce((sum, ticks) => sum + ticks, 0)
  const tracks = more.filter((extraBox) => extraBox.toString('latin1', 4, 8) === 'trak').length
  const header = movieHeader(timescale, duration, 2 + tracks)
  const trackHeader = fullBox(
    'tkhd',
    0,
    3,
    u32(0, 0, 1, 0, duration, 0, 0),
    u16(0, 0, 0, 0),
    UNITY_MATRIX,
    u32(track.width << 16, track.height << 16),
  )
  const mediaHeader = fullBox('mdhd', 0, 0, u32(0, 0, timescale, duration), u16(0x55c4, 0))
  const handler = fullBox('hdlr', 0, 0, u32(0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from('Video\0'))
  const dataReference = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)))
  const information = box('minf', fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)), dataReference, samples)
  return box('moov', header, box('trak', trackHeader, box('mdia', mediaHeader, handler, information)), ...more)
}

function sampleTable(track: MuxerTrack, chunks: TrackChunks): Buffer {
  const [stsc = Buffer.alloc(0), stco = Buffer.alloc(0)] = chunkBoxes(chunks)
  const count = track.sizes.length
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry(track)),
    ...timesToSamples(track),
    fullBox('stss', 0, 0, u32(track.keyframes.length, ...track.keyframes)),
    stsc,
    fullBox('stsz', 0, 0, u32(0, count, ...track.sizes)),
    stco,
  )
}

/**
 * Computes the offsets from decode to presentation order: each frame gets the time of the frame whose position it
 * takes. The first frame is shown at 0, so no edit list is needed.
 */
function compositionOffsets(pictures: readonly Picture[], durations: readonly number[]): number[] {
  let ticks = 0
  const times = durations.map((duration) => (ticks += duration) - duration)
  return shownOrder(pictures).map((rank, i) => (times[rank] ?? 0) - (times[i] ?? 0))
}

/** Builds `stts`, and `ctts` if frames are reordered. Uses version 1 of `ctts`, which allows negative offsets. */
function timesToSamples({ durations, shifts }: MuxerTrack): Buffer[] {
  const table = encodeRunLengths(durations)
  const times = fullBox('stts', 0, 0, u32(table.length, ...table.flat()))
  if (shifts.every((shift) => shift === 0)) return [times]
  const places = encodeRunLengths(shifts)
  return [times, fullBox('ctts', 1, 0, u32(places.length, ...places.flat()))]
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
export function sampleEntry(track: Pick<MuxerTrack, 'sets' | 'width' | 'height'>): Buffer {
  const { sps, pps, change } = track.sets
  const profile = sps[0]?.subarray(1, 4) ?? Buffer.alloc(3)
  const encodeSets = (sets: readonly Buffer[]) => sets.flatMap((set) => [u16(set.length), set])
  const lists = [Buffer.from([0xe0 | sps.length]), ...encodeSets(sps), Buffer.from([pps.length]), ...encodeSets(pps)]
  const configuration = box('avcC', Buffer.from([1]), profile, Buffer.from([0xff]), ...lists)
  return box(
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
