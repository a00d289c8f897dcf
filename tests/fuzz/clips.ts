import { createBox, createFullBox, u32 } from '../../bridge/media/mp4/boxes.ts'

const TKHD = createFullBox('tkhd', 0, 0, u32(0, 0, 1, ...Array.from({ length: 17 }, () => 0)))
const MDHD = createFullBox('mdhd', 0, 0, u32(0, 0, 1, 0, 0))
const HDLR = createFullBox('hdlr', 0, 0, u32(0, 0, 0, 0, 0))
const VMHD = createFullBox('vmhd', 0, 0, u32(0, 0))

/** Builds the content of an `mdia` box in which each sample is a chunk of its own and has its own `stsc` entry. */
function buildMedia(samples: number): Buffer {
  const numbers = Array.from({ length: samples }, (_, i) => i + 1)
  const tables = [
    createFullBox('stsd', 0, 0, u32(0)),
    createFullBox('stts', 0, 0, u32(1, samples, 1000)),
    createFullBox('stsz', 0, 0, u32(1, samples)),
    createFullBox('stco', 0, 0, u32(samples), ...numbers.map((number) => u32(number))),
    createFullBox('stsc', 0, 0, u32(samples), ...numbers.map((number) => u32(number, 1, 1))),
  ]
  return Buffer.concat([MDHD, HDLR, createBox('minf', VMHD, createBox('dinf'), createBox('stbl', ...tables))])
}

/** Builds a `moov` box of about `length` bytes with one track, in which each sample is a chunk of its own. */
export const buildManyChunks = (length: number): Buffer =>
  createBox('moov', createBox('trak', TKHD, createBox('mdia', buildMedia(Math.floor(length / 16)))))

/** Builds a `moov` box of about `length` bytes in which each track's `mdia` box extends over all later tracks. */
export function buildOverlappingTracks(length: number): Buffer {
  const media = buildMedia(1)
  const trackBytes = 8 + TKHD.length + 8
  const count = Math.floor(length / trackBytes)
  const tracks = Array.from({ length: count }, (_, i) => {
    const reach = 8 + (count - 1 - i) * trackBytes + media.length
    return Buffer.concat([u32(trackBytes), Buffer.from('trak'), TKHD, u32(reach), Buffer.from('mdia')])
  })
  return createBox('moov', ...tracks, media)
}
