import type { SqlStorage } from '@cloudflare/workers-types'
import { countBits, type MatchRequirement, meetsRequirement } from '../ranking/match-weights.ts'
import type { DocumentOffset, OffsetRange } from './document-offsets.ts'
import type { MatchingDocuments } from './matching-documents.ts'
import type { SearchScope } from './search-rows.ts'
import { listSliceMatches, listVisibleDocuments, type MaskedDocument, type SliceRow } from './slice-rows.ts'

/** Index query of a slice. */
export interface SliceQuery {
  readonly documents: MatchingDocuments
  /** Index query that also finds phrases of several words and replaces `documents`; null if there are none. */
  readonly phraseMatch: string | null
  /** Bit of the concept in the mask of a match; 0 for a filter. A slice skips every event that lacks a filter. */
  readonly bit: number
}

/**
 * Returns the visible events of a slice that match: the most concepts first, then the newest. `size`: number of events
 * in the slice. `read`: number of index entries that were read.
 */
export function readSlice(
  sql: SqlStorage,
  queries: readonly SliceQuery[],
  { slice, size }: { slice: OffsetRange; size: number },
  { scope, wanted: requirement, limit }: { scope: SearchScope; wanted: MatchRequirement; limit: number },
): { rows: SliceRow[]; read: number } {
  const matches = listQueryMatches(sql, queries, slice, size)
  const masked = combineMatches(matches, requirement).filter(({ mask }) => meetsRequirement(mask, requirement))
  if (requirement.must === 0) sortByConcepts(masked, requirement.asked)
  return {
    rows: listVisibleDocuments(sql, masked.slice(0, limit), scope, slice),
    read: matches.reduce((sum, { docs: { length } }) => sum + length, 0),
  }
}

interface QueryMatches {
  readonly bit: number
  /** Matching events of the slice, newest first. */
  readonly docs: readonly DocumentOffset[]
}

function listQueryMatches(
  sql: SqlStorage,
  queries: readonly SliceQuery[],
  slice: OffsetRange,
  size: number,
): QueryMatches[] {
  const phraseQueries = queries.flatMap(({ phraseMatch }) => phraseMatch ?? [])
  const phraseMatches = listSliceMatches(sql, phraseQueries, slice).values()
  return queries.map(({ bit, documents, phraseMatch }) => ({
    bit,
    docs: phraseMatch === null ? documents.listSlice(slice, size) : (phraseMatches.next().value ?? []),
  }))
}

/**
 * Returns the events that match all filters, with their concept masks, newest first. May omit events that lack a
 * required concept.
 */
function combineMatches(
  matches: readonly QueryMatches[],
  { must }: Pick<MatchRequirement, 'must'>,
): readonly MaskedDocument[] {
  const isRequired = ({ bit }: QueryMatches) => bit === 0 || (bit & must) !== 0
  const required = matches.filter(isRequired).toSorted((a, b) => a.docs.length - b.docs.length)
  const optional = matches.filter((query) => !isRequired(query))
  const [first, ...others] = required.length > 0 ? [...required, ...optional] : optional
  let masked = first?.docs.map((doc): MaskedDocument => ({ doc, mask: first.bit })) ?? []
  for (const query of others)
    masked = mergeMatches(masked, query, {
      keepsUnmatched: !isRequired(query),
      addsMissing: required.length === 0,
    })
  return masked
}

/**
 * Adds the bit of a query to the events that match it. All lists have the newest event first. `keepsUnmatched`: true to
 * keep events that do not match the query. `addsMissing`: true to add the matches that `masked` lacks.
 */
function mergeMatches(
  masked: readonly MaskedDocument[],
  { bit, docs }: QueryMatches,
  { keepsUnmatched, addsMissing }: { keepsUnmatched: boolean; addsMissing: boolean },
): MaskedDocument[] {
  const merged: MaskedDocument[] = []
  let at = 0
  for (const entry of masked) {
    for (; (docs[at] ?? -1) > entry.doc; at++) if (addsMissing) merged.push({ doc: docs[at] ?? 0, mask: bit })
    if (docs[at] === entry.doc) {
      merged.push({ doc: entry.doc, mask: entry.mask | bit })
      at++
    } else if (keepsUnmatched) merged.push(entry)
  }
  if (addsMissing) for (const doc of docs.slice(at)) merged.push({ doc, mask: bit })
  return merged
}

const sortByConcepts = (masked: MaskedDocument[], queryMask: number): MaskedDocument[] =>
  masked.sort((a, b) => countBits(b.mask & queryMask) - countBits(a.mask & queryMask) || b.doc - a.doc)
