import type { SqlStorage } from '@cloudflare/workers-types'
import type { DocumentId, DocumentRange } from '../../events/document-id-rows.ts'
import { countBits, type MatchRequirement, meetsRequirement } from '../ranking/match-weights.ts'
import type { MatchingDocuments } from './matching-documents.ts'
import type { SearchScope } from './search-rows.ts'
import { listSliceMatches, listVisibleDocuments, type TimedDocument } from './slice-rows.ts'

/** Index query of a slice. */
export interface SliceQuery {
  readonly documents: MatchingDocuments
  /** Index query that also finds phrases of several words and replaces `documents`; null if there are none. */
  readonly phraseMatch: string | null
  /** Bit of the concept in the mask of a match; 0 for a filter. A slice skips every event that lacks a filter. */
  readonly bit: number
}

export type SliceRow = TimedDocument & { readonly mask: number }

/**
 * Returns the visible events of a slice that match: the most concepts first, then the newest. `size`: number of events
 * in the slice. `read`: number of index entries that were read.
 */
export function readSlice(
  sql: SqlStorage,
  queries: readonly SliceQuery[],
  { slice, size }: { slice: DocumentRange; size: number },
  { scope, wanted: requirement, limit }: { scope: SearchScope; wanted: MatchRequirement; limit: number },
): { rows: SliceRow[]; read: number } {
  const matches = listQueryMatches(sql, queries, slice, size)
  const masks = combineMatches(matches, requirement)
  const docs = [...masks].flatMap(([doc, mask]) => (meetsRequirement(mask, requirement) ? [doc] : []))
  const getMask = (doc: DocumentId) => masks.get(doc) ?? 0
  if (requirement.must === 0) sortByConcepts(docs, (doc) => countBits(getMask(doc) & requirement.asked))
  const visible = listVisibleDocuments(sql, docs.slice(0, limit), scope)
  return {
    rows: visible.map(({ doc, event_ts }) => ({ doc, event_ts, mask: getMask(doc) })),
    read: matches.reduce((sum, { docs: { length } }) => sum + length, 0),
  }
}

interface QueryMatches {
  readonly bit: number
  /** Matching events of the slice, newest first. */
  readonly docs: readonly DocumentId[]
}

function listQueryMatches(
  sql: SqlStorage,
  queries: readonly SliceQuery[],
  slice: DocumentRange,
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
 * Returns the concept mask of each event that matches all filters. May omit events that lack a required concept. The
 * newest events come first if a filter or a concept is required.
 */
function combineMatches(
  matches: readonly QueryMatches[],
  { must }: Pick<MatchRequirement, 'must'>,
): ReadonlyMap<DocumentId, number> {
  const isRequired = ({ bit }: QueryMatches) => bit === 0 || (bit & must) !== 0
  const [first, ...required] = matches.filter(isRequired).toSorted((a, b) => a.docs.length - b.docs.length)
  let masks = new Map(first?.docs.map((doc) => [doc, first.bit]))
  for (const { bit, docs } of required) {
    const remaining = new Map<DocumentId, number>()
    for (const doc of docs) {
      const mask = masks.get(doc)
      if (mask !== undefined) remaining.set(doc, mask | bit)
    }
    masks = remaining
  }
  for (const query of matches) {
    if (isRequired(query)) continue
    for (const doc of query.docs) {
      const mask = first ? masks.get(doc) : (masks.get(doc) ?? 0)
      if (mask !== undefined) masks.set(doc, mask | query.bit)
    }
  }
  return masks
}

const compareNewestFirst = (a: DocumentId, b: DocumentId): number => b.length - a.length || (a < b ? 1 : a > b ? -1 : 0)

const sortByConcepts = (docs: DocumentId[], countConcepts: (doc: DocumentId) => number): DocumentId[] =>
  docs.sort((a, b) => countConcepts(b) - countConcepts(a) || compareNewestFirst(a, b))
