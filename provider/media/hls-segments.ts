import type { Mp4Sample, Mp4Track } from './mp4-samples.ts'

/** Minimum segment length; a segment starts with a keyframe. */
const SEGMENT_S = 2
/**
 * Maximum number of segments per clip, given by the digits in segment URLs. The last segment contains the rest of the
 * clip.
 */
const SEGMENTS_MAX = 10_000

/** Part of a clip that is playable without other segments, after the initialization segment. */
export interface HlsSegment {
  /** Seconds. */
  readonly duration: number
  /** Sample range per track; `last` is excluded. */
  readonly parts: readonly { track: Mp4Track; first: number; last: number }[]
}

type Bytes = Uint8Array<ArrayBuffer>

/** Cuts a clip into segments at keyframes of its video track, or of its first track. */
export function cutSegments(tracks: readonly Mp4Track[]): HlsSegment[] {
  const lead = tracks.find((track) => track.video) ?? tracks[0]
  if (!lead || lead.samples.length === 0) return []
  const cuts = [0]
  let [time, segmentStart] = [0, 0]
  for (const [i, sample] of lead.samples.entries()) {
    if (sample.key && cuts.length < SEGMENTS_MAX && time - segmentStart >= SEGMENT_S * lead.timescale) {
      cuts.push(i)
      segmentStart = time
    }
    time += sample.duration
  }
  const begins = new Map(tracks.map((track) => [track, listSampleStarts(track)]))
  const seconds = (index: number) => (begins.get(lead)?.[index] ?? 0) / lead.timescale
  const indexAt = (track: Mp4Track, second: number) => firstFrom(begins.get(track) ?? [], track.timescale, second)
  return cuts.map((first, i) => {
    const last = cuts[i + 1] ?? lead.samples.length
    const [from, to] = [seconds(first), i + 1 < cuts.length ? seconds(last) : Infinity]
    return {
      duration: seconds(last) - from,
      parts: tracks.map((track) =>
        track === lead ? { track, first, last } : { track, first: indexAt(track, from), last: indexAt(track, to) },
      ),
    }
  })
}

function timeAt({ samples }: Mp4Track, index: number): number {
  return samples.slice(0, index).reduce((sum, { duration }) => sum + duration, 0)
}

/** Returns each sample's start and the end of the last one, in ticks. */
function listSampleStarts({ samples }: Mp4Track): number[] {
  let time = 0
  return [0, ...samples.map(({ duration }) => (time += duration))]
}

/**
 * Returns the index of the first sample that starts at this second or later, else the number of samples. `begins`
 * ascends.
 */
function firstFrom(begins: readonly number[], timescale: number, second: number): number {
  let [low, high] = [0, begins.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((begins[middle] ?? 0) / timescale >= second) high = middle
    else low = middle + 1
  }
  return low
}

export function initSegment(tracks: readonly Mp4Track[]): Bytes {
  const mvhd = fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, 1000, 0, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    MATRIX,
    zeros(24),
    u32(1 + tracks.length),
  )
  const traks = tracks.map((track) => {
    const empty = ['stts', 'stsc', 'stco'].map((type) => fullBox(type, 0, 0, u32(0)))
    const { tkhd, mdhd, hdlr, header, dinf, stsd } = track.boxes
    const stbl = box('stbl', stsd, ...empty, fullBox('stsz', 0, 0, u32(0, 0)))
    return box('trak', tkhd, box('mdia', mdhd, hdlr, box('minf', header, dinf, stbl)))
  })
  const mvex = box('mvex', ...tracks.map(({ id }) => fullBox('trex', 0, 0, u32(id, 1, 0, 0, 0))))
  return join([box('ftyp', ascii('iso5'), u32(512), ascii('iso5iso6mp41')), box('moov', mvhd, ...traks, mvex)])
}

/** Returns the byte range of the clip that a segment needs; `to` is excluded. */
export function segmentRange({ parts }: HlsSegment): { from: number; to: number } {
  const all = parts.flatMap(({ track, first, last }) => track.samples.slice(first, last))
  const from = all.reduce((min, { offset }) => Math.min(min, offset), Infinity)
  return { from, to: all.reduce((max, { offset, size }) => Math.max(max, offset + size), 0) }
}

/** Builds a media segment. `bytes`: the bytes of the clip in the range that `segmentRange` returns. */
export function mediaSegment(segment: HlsSegment, number: number, bytes: Uint8Array): Bytes {
  const { from } = segmentRange(segment)
  const parts = segment.parts.filter(({ first, last }) => last > first)
  const data = parts.map(({ track, first, last }) =>
    track.samples.slice(first, last).map(({ offset, size }) => bytes.subarray(offset - from, offset - from + size)),
  )
  const lengths = data.map((pieces) => pieces.reduce((sum, piece) => sum + piece.length, 0))
  const build = (offsets: readonly number[]) =>
    box('moof', fullBox('mfhd', 0, 0, u32(number + 1)), ...parts.map((part, i) => fragment(part, offsets[i] ?? 0)))
  const begin = build(parts.map(() => 0)).length + 8
  const offsets = lengths.map((_, i) => begin + lengths.slice(0, i).reduce((sum, length) => sum + length, 0))
  return join([build(offsets), box('mdat', ...data.flat())])
}

const BASE_IS_MOOF = 0x20000
/** trun flags: data offset; per sample duration, size, flags and composition offset. */
const RUN_FLAGS = 0x1 | 0x100 | 0x200 | 0x400 | 0x800
const KEY_FLAGS = 0x02000000
const OTHER_FLAGS = 0x01010000

function fragment({ track, first, last }: HlsSegment['parts'][number], offset: number): Bytes {
  const samples = track.samples.slice(first, last)
  const rows = samples.flatMap(({ duration, size, key, shift }: Mp4Sample) => [
    duration,
    size,
    key ? KEY_FLAGS : OTHER_FLAGS,
    shift >>> 0,
  ])
  return box(
    'traf',
    fullBox('tfhd', 0, BASE_IS_MOOF, u32(track.id)),
    fullBox('tfdt', 0, 0, u32(timeAt(track, first))),
    fullBox('trun', 1, RUN_FLAGS, numbers([samples.length, offset, ...rows])),
  )
}

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

function u32(...values: number[]): Bytes {
  return numbers(values)
}

/**
 * Encodes 32-bit numbers in one buffer. Does not pass the values as arguments, because a segment has many samples and
 * the number of arguments is limited.
 */
function numbers(values: readonly number[]): Bytes {
  const bytes = new Uint8Array(4 * values.length)
  const view = new DataView(bytes.buffer)
  values.forEach((value, i) => view.setUint32(4 * i, value))
  return bytes
}

const u16 = (...values: number[]) => Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]))
const zeros = (length: number) => new Uint8Array(length)
const ascii = (text: string) => new TextEncoder().encode(text)

function box(type: string, ...parts: readonly Uint8Array[]): Bytes {
  const size = parts.reduce((sum, part) => sum + part.length, 8)
  return join([u32(size), ascii(type), ...parts])
}

function fullBox(type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Bytes {
  return box(type, u32(version * 0x1000000 + flags), ...parts)
}

function join(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
