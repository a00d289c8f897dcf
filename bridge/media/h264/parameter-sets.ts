import { getNalType, NAL_TYPE } from './annex-b.ts'
import { BitReader } from './bit-reader.ts'

/** Maximum id of an SPS and of a PPS (H.264 §7.4.2.1, §7.4.2.2). */
const MAX_SPS_ID = 31
const MAX_PPS_ID = 255
/** Maximum numbers of SPS and of PPS in a sample description. Each is one fewer than the number of possible ids. */
const SPS_COUNT_MAX = 31
const PPS_COUNT_MAX = 255
/** Maximum bytes of a slice header up to and including the PPS id, with emulation prevention bytes. */
const SLICE_HEAD_BYTES = 20

export const isParameterSet = (nal: Buffer) => getNalType(nal) === NAL_TYPE.sps || getNalType(nal) === NAL_TYPE.pps

/**
 * Returns the id of a parameter set (H.264 §7.3.2.1.1, §7.3.2.2); undefined if the set is truncated or its id is too
 * large.
 */
export function readParameterSetId(nal: Buffer): number | undefined {
  return tryReadBits(nal, (bits) => {
    if (getNalType(nal) === NAL_TYPE.pps) return bits.readUnsigned(MAX_PPS_ID)
    bits.readBits(24)
    return bits.readUnsigned(MAX_SPS_ID)
  })
}

function tryReadBits(nal: Buffer, read: (bits: BitReader) => number): number | undefined {
  try {
    return read(new BitReader(nal))
  } catch {
    return undefined
  }
}

/**
 * Returns the SPS to which a frame refers. Returns the frame's first SPS if the reference is unreadable or that SPS is
 * not in the frame; undefined if the frame contains no SPS.
 */
export function findSps(nals: readonly Buffer[]): Buffer | undefined {
  const all = nals.filter((nal) => getNalType(nal) === NAL_TYPE.sps)
  const slice = nals.find((nal) => getNalType(nal) === NAL_TYPE.idr || getNalType(nal) === NAL_TYPE.slice)
  if (all.length < 2 || !slice) return all[0]
  const ppsId = tryReadBits(slice.subarray(0, SLICE_HEAD_BYTES), (bits) => {
    bits.readUnsigned()
    bits.readUnsigned()
    return bits.readUnsigned(MAX_PPS_ID)
  })
  const pps = nals.findLast((nal) => getNalType(nal) === NAL_TYPE.pps && readParameterSetId(nal) === ppsId)
  const spsId =
    pps &&
    tryReadBits(pps, (bits) => {
      bits.readUnsigned()
      return bits.readUnsigned(MAX_SPS_ID)
    })
  return all.findLast((nal) => readParameterSetId(nal) === spsId) ?? all[0]
}

export interface ParameterSets {
  /** SPS in order of appearance, except that the SPS to which the first frame refers comes first. */
  readonly sps: readonly Buffer[]
  readonly pps: readonly Buffer[]
  /**
   * True if the frames contain different parameter sets with the same type and id. The stream must then keep all of
   * these sets.
   */
  readonly change: boolean
  /**
   * Returns true if a NAL unit repeats a parameter set of the sample description, and no frame redefines this set. The
   * stream can then omit the NAL unit.
   */
  isRedundant(nal: Buffer): boolean
}

/** Collects the parameter sets of these frames. Returns undefined if the first frame contains no SPS or no PPS. */
export function collectParameterSets(
  frames: readonly { readonly nals: readonly Buffer[] }[],
): ParameterSets | undefined {
  const sets = new Map<string, Buffer>()
  const changing = new Set<string>()
  const first = findSps(frames[0]?.nals ?? [])
  const firstSets = frames[0]?.nals.filter(isParameterSet) ?? []
  if (!first || !firstSets.some((nal) => getNalType(nal) === NAL_TYPE.pps)) return undefined
  for (const nal of [first, ...frames.flatMap(({ nals }) => nals.filter(isParameterSet))]) {
    const key = getParameterSetKey(nal)
    if (key === undefined) continue
    const stored = sets.get(key)
    if (stored && !stored.equals(nal)) changing.add(key)
    if (!stored) sets.set(key, nal)
  }
  const ofType = (type: number, max: number) =>
    [...sets.values()].filter((nal) => getNalType(nal) === type).slice(0, max)
  const sps = ofType(NAL_TYPE.sps, SPS_COUNT_MAX)
  const pps = ofType(NAL_TYPE.pps, PPS_COUNT_MAX)
  const described = new Set([...sps, ...pps])
  return {
    sps,
    pps,
    change: changing.size > 0,
    isRedundant: (nal) => {
      const key = isParameterSet(nal) ? getParameterSetKey(nal) : undefined
      const stored = key === undefined ? undefined : sets.get(key)
      return stored !== undefined && described.has(stored) && !changing.has(key ?? '') && stored.equals(nal)
    },
  }
}

function getParameterSetKey(nal: Buffer): string | undefined {
  const number = readParameterSetId(nal)
  return number === undefined ? undefined : `${getNalType(nal)} ${number}`
}

/**
 * Removes outdated parameter sets from the NAL units of a frame, and keeps the last version of each set. If a set
 * changes in midstream, ffmpeg repeats the old version before the new one.
 */
export function selectNewestParameterSets(nals: readonly Buffer[]): readonly Buffer[] {
  const sets = nals.filter(isParameterSet)
  if (sets.length <= 2) return nals
  const newest = new Map(sets.map((nal) => [`${getNalType(nal)} ${readParameterSetId(nal)}`, nal]))
  const newestNals = new Set(newest.values())
  return nals.filter((nal) => !isParameterSet(nal) || newestNals.has(nal))
}
