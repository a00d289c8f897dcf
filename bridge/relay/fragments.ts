import { nalType, NAL, type AccessUnit } from '../h264/annex-b.ts'
import { pictureSize } from '../h264/sps.ts'
import { box, fullBox, u32 } from '../mp4/boxes.ts'
import { isSample, movie, sampleEntry } from '../mp4/muxer.ts'

const TIMESCALE = 90_000
const TRACK = 1
/** Sample flags (ISO/IEC 14496-12 §8.8.3.1): depends on no other sample; depends on others and is no sync sample. */
const SYNC = 0x0200_0000
const NOT_SYNC = 0x0101_0000

export interface Initialisation {
  /** As MIME types have it, such as `avc1.42c01f`. */
  readonly codec: string
  readonly segment: Buffer
}

/** What a player has to know before the first fragment. Null for a picture without its parameter sets. */
export function initialisation(unit: AccessUnit): Initialisation | null {
  const sps = unit.nals.find((nal) => nalType(nal) === NAL.sps)
  const pps = unit.nals.find((nal) => nalType(nal) === NAL.pps)
  if (!sps || !pps) return null
  const track = { sps, pps, ...pictureSize(sps), timescale: TIMESCALE, durations: [] }
  const samples = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry(track)),
    ...['stts', 'stsc', 'stco'].map((type) => fullBox(type, 0, 0, u32(0))),
    fullBox('stsz', 0, 0, u32(0, 0)),
  )
  const extends_ = box('mvex', fullBox('trex', 0, 0, u32(TRACK, 1, 0, 0, 0)))
  const type = box('ftyp', Buffer.from('iso5'), u32(0x200), Buffer.from('iso5iso6mp41'))
  return {
    codec: `avc1.${sps.subarray(1, 4).toString('hex')}`,
    segment: Buffer.concat([type, movie(track, samples, extends_)]),
  }
}

/** One picture as a fragment; `at` and `duration` in ms on the clock of the player, `sequence` counts from 1. */
export function fragment(unit: AccessUnit, sequence: number, at: number, duration: number): Buffer {
  const nals = unit.nals.filter(isSample)
  const size = nals.reduce((sum, nal) => sum + nal.length + 4, 0)
  const flags = unit.keyframe ? SYNC : NOT_SYNC
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(Math.round(at * 90)))
  /** Base is the fragment itself; `offset` leads from there to the picture. */
  const head = (offset: number) =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, u32(sequence)),
      box(
        'traf',
        fullBox('tfhd', 0, 0x02_0000, u32(TRACK)),
        fullBox('tfdt', 1, 0, time),
        fullBox('trun', 0, 0x0701, u32(1, offset, Math.round(duration * 90), size, flags)),
      ),
    )
  const length = head(0).length + 8
  return Buffer.concat([
    head(length),
    u32(size + 8),
    Buffer.from('mdat'),
    ...nals.flatMap((nal) => [u32(nal.length), nal]),
  ])
}
