/** One video frame or audio sample of a track. All times are in ticks of the track. */
export interface Mp4Sample {
  readonly offset: number
  readonly size: number
  readonly duration: number
  /** Composition offset: presentation time minus decode time. */
  readonly shift: number
  readonly key: boolean
}

export interface Mp4Track {
  readonly id: number
  readonly isVideo: boolean
  /** Ticks per second. */
  readonly timescale: number
  readonly samples: readonly Mp4Sample[]
  /** Complete boxes of the file. `header`: media header box, which is `vmhd` for video and `smhd` for audio. */
  readonly boxes: Readonly<Record<'tkhd' | 'mdhd' | 'hdlr' | 'header' | 'dinf' | 'stsd', Uint8Array>>
}

export interface Mp4Box {
  readonly type: string
  /** Byte offsets of the start of the box (`start`), of its content, and of its end. */
  readonly start: number
  readonly body: number
  readonly end: number
}

/** Maximum number of samples per track: 1.8 hours of video at 30 frames per second. */
const MAX_SAMPLES = 200_000
const MAX_TRACKS = 4

const createDataView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Decodes the boxes that start between two offsets. The last box may end after `to`. Throws RangeError if a box is
 * malformed.
 */
export function decodeBoxes(bytes: Uint8Array, from = 0, to = bytes.length): Mp4Box[] {
  const data = createDataView(bytes)
  const boxes: Mp4Box[] = []
  for (let at = from; at + 8 <= to;) {
    const size32 = data.getUint32(at)
    const size = size32 === 1 && at + 16 <= to ? Number(data.getBigUint64(at + 8)) : size32
    if (size < 8) throw new RangeError('a box is malformed')
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    boxes.push({ type, start: at, body: at + (size32 === 1 ? 16 : 8), end: at + size })
    at += size
  }
  return boxes
}

/**
 * Reads the tracks of a progressive MP4 file from its `moov` box, in linear time. Throws RangeError if the box is
 * malformed or has too many tracks or samples.
 */
export function readTracks(moov: Uint8Array): Mp4Track[] {
  const tracks = decodeChildBoxes(moov, 8, moov.length).filter((box) => box.type === 'trak')
  if (tracks.length > MAX_TRACKS) throw new RangeError('the clip has too many tracks')
  return tracks.map((trak) => readTrack(moov, trak))
}

/**
 * Decodes the children of a box. Throws RangeError if a child ends after its parent, because the child would then
 * contain bytes of other boxes.
 */
function decodeChildBoxes(bytes: Uint8Array, body: number, end: number): Mp4Box[] {
  const boxes = decodeBoxes(bytes, body, end)
  if ((boxes.at(-1)?.end ?? 0) > end) throw new RangeError('a box extends past the end of its parent')
  return boxes
}

function findBox(bytes: Uint8Array, outer: Mp4Box, ...path: string[]): Mp4Box {
  let at = outer
  for (const type of path) {
    const next = decodeChildBoxes(bytes, at.body, at.end).find((box) => box.type === type)
    if (!next) throw new RangeError(`the file has no ${type}`)
    at = next
  }
  return at
}

function readTrack(bytes: Uint8Array, trak: Mp4Box): Mp4Track {
  const data = createDataView(bytes)
  const getBoxBytes = (box: Mp4Box) => bytes.subarray(box.start, box.end)
  const minf = findBox(bytes, trak, 'mdia', 'minf')
  const stbl = findBox(bytes, minf, 'stbl')
  const [tkhd, mdhd] = [findBox(bytes, trak, 'tkhd'), findBox(bytes, trak, 'mdia', 'mdhd')]
  const header = decodeChildBoxes(bytes, minf.body, minf.end).find(({ type }) => type === 'vmhd' || type === 'smhd')
  if (!header) throw new RangeError('the track is neither video nor audio')
  const timescale = data.getUint32(mdhd.body + (data.getUint8(mdhd.body) === 1 ? 20 : 12))
  if (timescale === 0) throw new RangeError('the track has a timescale of 0')
  return {
    id: data.getUint32(tkhd.body + (data.getUint8(tkhd.body) === 1 ? 20 : 12)),
    isVideo: header.type === 'vmhd',
    timescale,
    samples: readSamples(bytes, stbl),
    boxes: {
      tkhd: getBoxBytes(tkhd),
      mdhd: getBoxBytes(mdhd),
      hdlr: getBoxBytes(findBox(bytes, trak, 'mdia', 'hdlr')),
      header: getBoxBytes(header),
      dinf: getBoxBytes(findBox(bytes, minf, 'dinf')),
      stsd: getBoxBytes(findBox(bytes, stbl, 'stsd')),
    },
  }
}

function readSamples(bytes: Uint8Array, stbl: Mp4Box): Mp4Sample[] {
  const sizes = readSampleSizes(bytes, stbl)
  const durations = expandRuns(bytes, stbl, 'stts', sizes.length)
  const shifts = expandRuns(bytes, stbl, 'ctts', sizes.length)
  const keys = new Set(readSampleTable(bytes, stbl, 'stss', 1)?.map((number) => number - 1))
  const offsets = readSampleOffsets(bytes, stbl, sizes)
  return sizes.map((size, i) => ({
    size,
    offset: offsets[i] ?? 0,
    duration: durations[i] ?? 0,
    shift: (shifts[i] ?? 0) | 0,
    key: keys.size === 0 || keys.has(i),
  }))
}

/** Returns the numbers of a sample table with `width` columns per row. Returns null if the track has no such table. */
function readSampleTable(bytes: Uint8Array, stbl: Mp4Box, type: string, width: number): Uint32Array | null {
  const box = decodeChildBoxes(bytes, stbl.body, stbl.end).find((child) => child.type === type)
  if (!box) return null
  const data = createDataView(bytes)
  const count = data.getUint32(box.body + 4)
  if (count > MAX_SAMPLES || box.body + 8 + 4 * width * count > box.end) throw new RangeError('a table is too long')
  return Uint32Array.from({ length: count * width }, (_, i) => data.getUint32(box.body + 8 + 4 * i))
}

/** Expands a table of [count, value] rows to one value per sample. */
function expandRuns(bytes: Uint8Array, stbl: Mp4Box, type: string, count: number): number[] {
  const rows = readSampleTable(bytes, stbl, type, 2) ?? []
  const values: number[] = []
  for (let at = 0; at < rows.length && values.length < count; at += 2) {
    for (let n = 0; n < (rows[at] ?? 0) && values.length < count; n += 1) values.push(rows[at + 1] ?? 0)
  }
  return values
}

function readSampleSizes(bytes: Uint8Array, stbl: Mp4Box): number[] {
  const data = createDataView(bytes)
  const { body } = findBox(bytes, stbl, 'stsz')
  const [all, count] = [data.getUint32(body + 4), data.getUint32(body + 8)]
  if (count > MAX_SAMPLES) throw new RangeError('the clip is too long')
  return Array.from({ length: count }, (_, i) => (all === 0 ? data.getUint32(body + 12 + 4 * i) : all))
}

/**
 * Returns the file offset of each sample. Chunks can be anywhere in the file, but the samples of one chunk are
 * contiguous.
 */
function readSampleOffsets(bytes: Uint8Array, stbl: Mp4Box, sizes: readonly number[]): number[] {
  const chunks = readChunkOffsets(bytes, stbl)
  /** Rows of [first chunk, samples per chunk, description index], in order of first chunk. */
  const runs = readSampleTable(bytes, stbl, 'stsc', 3) ?? []
  const offsets: number[] = []
  let row = 0
  for (const [chunk, begin] of chunks.entries()) {
    while (row + 3 < runs.length && (runs[row + 3] ?? 0) <= chunk + 1) row += 3
    let at = begin
    for (let n = 0; n < (runs[row + 1] ?? 0); n += 1) {
      const size = sizes[offsets.length]
      if (size === undefined) return offsets
      offsets.push(at)
      at += size
    }
  }
  return offsets
}

function readChunkOffsets(bytes: Uint8Array, stbl: Mp4Box): number[] {
  const offsets64 = readSampleTable(bytes, stbl, 'co64', 2)
  if (!offsets64) return [...(readSampleTable(bytes, stbl, 'stco', 1) ?? [])]
  return Array.from(
    { length: offsets64.length / 2 },
    (_, i) => (offsets64[2 * i] ?? 0) * 2 ** 32 + (offsets64[2 * i + 1] ?? 0),
  )
}
