import type { Mp4Sample, Mp4Track } from './mp4-samples.ts'

/** Minimum length in seconds of every segment except the last. Every segment starts with a keyframe. */
const MIN_SEGMENT_S = 2
/**
 * Maximum number of segments per clip, because segment URLs have at most four digits. The last segment contains the
 * remaining samples.
 */
const MAX_SEGMENTS = 10_000

/** Part of a clip that plays with only the initialization segment, without other segments. */
export interface HlsSegment {
  /** Seconds. */
  readonly duration: number
  /** Sample range per track. `last` is exclusive. */
  readonly parts: readonly { track: Mp4Track; first: number; last: number }[]
}

type Bytes = Uint8Array<ArrayBuffer>

/** Cuts a clip into segments at keyframes of its video track. Uses the first track if there is no video track. */
export function cutSegments(tracks: readonly Mp4Track[]): HlsSegment[] {
  const leadTrack = tracks.find((track) => track.isVideo) ?? tracks[0]
  if (!leadTrack || leadTrack.samples.length === 0) return []
  const cuts = [0]
  let [time, segmentStart] = [0, 0]
  for (const [i, sample] of leadTrack.samples.entries()) {
    if (sample.key && cuts.length < MAX_SEGMENTS && time - segmentStart >= MIN_SEGMENT_S * leadTrack.timescale) {
      cuts.push(i)
      segmentStart = time
    }
    time += sample.duration
  }
  const startsByTrack = new Map(tracks.map((track) => [track, listSampleStarts(track)]))
  const getStartSeconds = (index: number) => (startsByTrack.get(leadTrack)?.[index] ?? 0) / leadTrack.timescale
  const indexAt = (track: Mp4Track, second: number) =>
    findFirstSample(startsByTrack.get(track) ?? [], track.timescale, second)
  return cuts.map((first, i) => {
    const last = cuts[i + 1] ?? leadTrack.samples.length
    const [from, to] = [getStartSeconds(first), i + 1 < cuts.length ? getStartSeconds(last) : Infinity]
    return {
      duration: getStartSeconds(last) - from,
      parts: tracks.map((track) =>
        track === leadTrack ? { track, first, last } : { track, first: indexAt(track, from), last: indexAt(track, to) },
      ),
    }
  })
}

function getSampleStart({ samples }: Mp4Track, index: number): number {
  return samples.slice(0, index).reduce((sum, { duration }) => sum + duration, 0)
}

/** Returns the start time of each sample and the end time of the last sample, in ticks of the track. */
function listSampleStarts({ samples }: Mp4Track): number[] {
  let time = 0
  return [0, ...samples.map(({ duration }) => (time += duration))]
}

/**
 * Returns the index of the first sample that starts at or after `second`. If none does, returns the number of samples.
 * `sampleStarts` must ascend.
 */
function findFirstSample(sampleStarts: readonly number[], timescale: number, second: number): number {
  let [low, high] = [0, sampleStarts.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sampleStarts[middle] ?? 0) / timescale >= second) high = middle
    else low = middle + 1
  }
  return low
}

export function buildInitSegment(tracks: readonly Mp4Track[]): Bytes {
  const mvhd = buildFullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, 1000, 0, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    IDENTITY_MATRIX,
    zeros(24),
    u32(1 + tracks.length),
  )
  const traks = tracks.map((track) => {
    const empty = ['stts', 'stsc', 'stco'].map((type) => buildFullBox(type, 0, 0, u32(0)))
    const { tkhd, mdhd, hdlr, header, dinf, stsd } = track.boxes
    const stbl = buildBox('stbl', stsd, ...empty, buildFullBox('stsz', 0, 0, u32(0, 0)))
    return buildBox('trak', tkhd, buildBox('mdia', mdhd, hdlr, buildBox('minf', header, dinf, stbl)))
  })
  const mvex = buildBox('mvex', ...tracks.map(({ id }) => buildFullBox('trex', 0, 0, u32(id, 1, 0, 0, 0))))
  return concatBytes([
    buildBox('ftyp', ascii('iso5'), u32(512), ascii('iso5iso6mp41')),
    buildBox('moov', mvhd, ...traks, mvex),
  ])
}

/** Returns the smallest byte range of the clip that contains all samples of the segment; `to` is exclusive. */
export function getSegmentByteRange({ parts }: HlsSegment): { from: number; to: number } {
  const all = parts.flatMap(({ track, first, last }) => track.samples.slice(first, last))
  const from = all.reduce((min, { offset }) => Math.min(min, offset), Infinity)
  return { from, to: all.reduce((max, { offset, size }) => Math.max(max, offset + size), 0) }
}

/** Builds a media segment. `bytes`: bytes of the clip in the range from `getSegmentByteRange`. */
export function buildMediaSegment(segment: HlsSegment, number: number, bytes: Uint8Array): Bytes {
  const { from } = getSegmentByteRange(segment)
  const parts = segment.parts.filter(({ first, last }) => last > first)
  const data = parts.map(({ track, first, last }) =>
    track.samples.slice(first, last).map(({ offset, size }) => bytes.subarray(offset - from, offset - from + size)),
  )
  const lengths = data.map((pieces) => pieces.reduce((sum, piece) => sum + piece.length, 0))
  const build = (offsets: readonly number[]) =>
    buildBox(
      'moof',
      buildFullBox('mfhd', 0, 0, u32(number + 1)),
      ...parts.map((part, i) => buildTrackFragment(part, offsets[i] ?? 0)),
    )
  const begin = build(parts.map(() => 0)).length + 8
  const offsets = lengths.map((_, i) => begin + lengths.slice(0, i).reduce((sum, length) => sum + length, 0))
  return concatBytes([build(offsets), buildBox('mdat', ...data.flat())])
}

const DEFAULT_BASE_IS_MOOF_FLAG = 0x20000
/** trun flags: data offset; per sample duration, size, flags and composition offset. */
const TRUN_FLAGS = 0x1 | 0x100 | 0x200 | 0x400 | 0x800
const KEYFRAME_FLAGS = 0x02000000
const NON_KEYFRAME_FLAGS = 0x01010000

function buildTrackFragment({ track, first, last }: HlsSegment['parts'][number], offset: number): Bytes {
  const samples = track.samples.slice(first, last)
  const rows = samples.flatMap(({ duration, size, key, shift }: Mp4Sample) => [
    duration,
    size,
    key ? KEYFRAME_FLAGS : NON_KEYFRAME_FLAGS,
    shift >>> 0,
  ])
  return buildBox(
    'traf',
    buildFullBox('tfhd', 0, DEFAULT_BASE_IS_MOOF_FLAG, u32(track.id)),
    buildFullBox('tfdt', 0, 0, u32(getSampleStart(track, first))),
    buildFullBox('trun', 1, TRUN_FLAGS, encodeUint32s([samples.length, offset, ...rows])),
  )
}

const IDENTITY_MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

function u32(...values: number[]): Bytes {
  return encodeUint32s(values)
}

/**
 * Encodes 32-bit numbers in one buffer. Takes an array instead of arguments, because a segment can exceed the maximum
 * number of arguments.
 */
function encodeUint32s(values: readonly number[]): Bytes {
  const bytes = new Uint8Array(4 * values.length)
  const view = new DataView(bytes.buffer)
  values.forEach((value, i) => view.setUint32(4 * i, value))
  return bytes
}

const u16 = (...values: number[]) => Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]))
const zeros = (length: number) => new Uint8Array(length)
const ascii = (text: string) => new TextEncoder().encode(text)

function buildBox(type: string, ...parts: readonly Uint8Array[]): Bytes {
  const size = parts.reduce((sum, part) => sum + part.length, 8)
  return concatBytes([u32(size), ascii(type), ...parts])
}

function buildFullBox(type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Bytes {
  return buildBox(type, u32(version * 0x1000000 + flags), ...parts)
}

function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
