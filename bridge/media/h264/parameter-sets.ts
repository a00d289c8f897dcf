import { nalType, NAL } from './annex-b.ts'
import { BitReader } from './bit-reader.ts'

/** Numbers that sets may have at most (H.264 §7.4.2.1, §7.4.2.2). */
const SPS_MAX = 31
const PPS_MAX = 255
/** A sample description has room for one set fewer than there are numbers. */
const SPS_COUNT_MAX = 31
const PPS_COUNT_MAX = 255
/** A slice header up to the number of its PPS, with emulation prevention. */
const SLICE_BYTES = 20

export const isSet = (nal: Buffer) => nalType(nal) === NAL.sps || nalType(nal) === NAL.pps

/** The number of a parameter set (H.264 §7.3.2.1.1, §7.3.2.2); undefined when it is cut. */
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

/** The SPS that a picture refers to; the first that it has where that cannot be read. Undefined: it has none. */
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

/** The parameter sets of a description of pictures. */
export interface ParameterSets {
  /** Sets in the order of their first use: those of the first picture come first. */
  readonly sps: readonly Buffer[]
  readonly pps: readonly Buffer[]
  /** Pictures have other sets with the same numbers, which have to stay where they are. */
  readonly change: boolean
  /** True if a NAL unit repeats a set of the description. */
  describes(nal: Buffer): boolean
}

/** All parameter sets of these pictures. Undefined where the first of them has none that can be read. */
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
 * Of each parameter set the last one: what counts for this picture. A camera that changes them in the middle has the old
 * ones, which ffmpeg repeats, before the new.
 */
export function newestSets(nals: readonly Buffer[]): readonly Buffer[] {
  const sets = nals.filter(isSet)
  if (sets.length <= 2) return nals
  const newest = new Map(sets.map((nal) => [`${nalType(nal)} ${setNumber(nal)}`, nal]))
  const newestNals = new Set(newest.values())
  return nals.filter((nal) => !isSet(nal) || newestNals.has(nal))
}
