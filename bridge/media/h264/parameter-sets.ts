import { nalType, NAL } from './annex-b.ts'
import { BitReader } from './bit-reader.ts'

/** Maximum id of an SPS and of a PPS (H.264 §7.4.2.1, §7.4.2.2). */
const SPS_MAX = 31
const PPS_MAX = 255
/**
 * Maximum number of SPS and of PPS in a sample description: for each type, one fewer than the number of possible ids.
 */
const SPS_COUNT_MAX = 31
const PPS_COUNT_MAX = 255
/** Bytes of a slice header up to its PPS id, with emulation prevention. */
const SLICE_BYTES = 20

export const isSet = (nal: Buffer) => nalType(nal) === NAL.sps || nalType(nal) === NAL.pps

/** Returns the id of a parameter set (H.264 §7.3.2.1.1, §7.3.2.2); undefined if it is truncated. */
export function setNumber(nal: Buffer): number | undefined {
  return read(nal, (bits) => {
    if (nalType(nal) === NAL.pps) return bits.unsigned(PPS_MAX)
    bits.bits(24)
    return bits.unsigned(SPS_MAX)
  })
}

function read(nal: Buffer, from: (bits: BitReader) => number): number | undefined {
  try {
    return from(new BitReader(nal))
  } catch {
    return undefined
  }
}

/**
 * Returns the SPS that a frame refers to. Returns the frame's first SPS if the reference cannot be read, and undefined
 * if the frame contains no SPS.
 */
export function findSps(nals: readonly Buffer[]): Buffer | undefined {
  const all = nals.filter((nal) => nalType(nal) === NAL.sps)
  const slice = nals.find((nal) => nalType(nal) === NAL.idr || nalType(nal) === NAL.slice)
  if (all.length < 2 || !slice) return all[0]
  const ppsNumber = read(slice.subarray(0, SLICE_BYTES), (bits) => {
    bits.unsigned()
    bits.unsigned()
    return bits.unsigned(PPS_MAX)
  })
  const pps = nals.findLast((nal) => nalType(nal) === NAL.pps && setNumber(nal) === ppsNumber)
  const number =
    pps &&
    read(pps, (bits) => {
      bits.unsigned()
      return bits.unsigned(SPS_MAX)
    })
  return all.findLast((nal) => setNumber(nal) === number) ?? all[0]
}

export interface ParameterSets {
  /** Sets in order of first use: those of the first frame come first. */
  readonly sps: readonly Buffer[]
  readonly pps: readonly Buffer[]
  /** True if a later frame redefines the id of a set. The sets with that id must then stay in the stream. */
  readonly change: boolean
  /** Returns true if a NAL unit repeats a set of the sample description, so that it can be left out of the stream. */
  describes(nal: Buffer): boolean
}

/** Collects all parameter sets of these frames. Undefined if the first frame has no readable sets. */
export function parameterSets(pictures: readonly { readonly nals: readonly Buffer[] }[]): ParameterSets | undefined {
  const sets = new Map<string, Buffer>()
  const changing = new Set<string>()
  const first = findSps(pictures[0]?.nals ?? [])
  const firstSets = pictures[0]?.nals.filter(isSet) ?? []
  if (!first || !firstSets.some((nal) => nalType(nal) === NAL.pps)) return undefined
  for (const nal of [first, ...pictures.flatMap(({ nals }) => nals.filter(isSet))]) {
    const key = parameterSetKey(nal)
    if (key === undefined) continue
    const stored = sets.get(key)
    if (stored && !stored.equals(nal)) changing.add(key)
    if (!stored) sets.set(key, nal)
  }
  const ofType = (type: number, max: number) => [...sets.values()].filter((nal) => nalType(nal) === type).slice(0, max)
  const sps = ofType(NAL.sps, SPS_COUNT_MAX)
  const pps = ofType(NAL.pps, PPS_COUNT_MAX)
  const described = new Set([...sps, ...pps])
  return {
    ...{ sps, pps, change: changing.size > 0 },
    describes: (nal) => {
      const key = isSet(nal) ? parameterSetKey(nal) : undefined
      const stored = key === undefined ? undefined : sets.get(key)
      return stored !== undefined && described.has(stored) && !changing.has(key ?? '') && stored.equals(nal)
    },
  }
}

function parameterSetKey(nal: Buffer): string | undefined {
  const number = setNumber(nal)
  return number === undefined ? undefined : `${nalType(nal)} ${number}`
}

/**
 * Keeps only the last version of each parameter set. After a change in midstream the old sets, which ffmpeg repeats,
 * precede the new ones.
 */
export function newestSets(nals: readonly Buffer[]): readonly Buffer[] {
  const sets = nals.filter(isSet)
  if (sets.length <= 2) return nals
  const newest = new Map(sets.map((nal) => [`${nalType(nal)} ${setNumber(nal)}`, nal]))
  const newestNals = new Set(newest.values())
  return nals.filter((nal) => !isSet(nal) || newestNals.has(nal))
}
