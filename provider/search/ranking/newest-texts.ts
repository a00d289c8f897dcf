import type { SqlStorage } from '@cloudflare/workers-types'
import type { DocumentId, DocumentRange } from '../../events/document-id-rows.ts'
import { listNewestTexts, type NewestState, readNewestState, type SampleRow } from '../index/slice-rows.ts'
import { type StemmedRow, stemRow, type TextRow, type TextSample, type WordPosition } from './text-scoring.ts'

interface SampledText {
  readonly row: SampleRow & TextRow
  readonly stemmed: StemmedRow
}

interface CachedSample {
  readonly state: NewestState
  readonly from: DocumentId
  readonly sampledTexts: ReadonlyMap<string, SampledText>
  readonly sample: TextSample
}

/** Latest sample by home. */
const cachedSamples = new WeakMap<SqlStorage, CachedSample>()

/**
 * Returns the texts of the newest `count` events in the range. Reads them only if the database or the newest event has
 * changed since the previous call, and stems only texts that differ.
 */
export function sampleNewestTexts(sql: SqlStorage, range: DocumentRange, count: number): TextSample {
  const cached = cachedSamples.get(sql)
  const state = readNewestState(sql, range)
  if (cached && isSameSample(cached, state, range, count)) return cached.sample
  const sampledTexts = listNewestTexts(sql, range, count).map((row): SampledText => {
    const previous = cached?.sampledTexts.get(row.event_id)
    return previous && hasSameTexts(previous.row, row) ? previous : { row, stemmed: stemRow(row) }
  })
  const sample = createSample(sampledTexts.map(({ stemmed }) => stemmed))
  cachedSamples.set(sql, {
    state,
    from: range.from,
    sampledTexts: new Map(sampledTexts.map((text) => [text.row.event_id, text])),
    sample,
  })
  return sample
}

/** A full sample stays the same if the start of the range moves but remains before the oldest sampled event. */
function isSameSample(cached: CachedSample, state: NewestState, { from }: DocumentRange, count: number): boolean {
  if (cached.state.changes !== state.changes || cached.state.newest !== state.newest) return false
  if (cached.from === from) return true
  const rows = [...cached.sampledTexts.values()].map(({ row }) => row)
  const oldest = rows.at(-1)?.doc
  return rows.length === count && oldest !== undefined && BigInt(oldest) >= BigInt(from)
}

function createSample(texts: readonly StemmedRow[]): TextSample {
  const positions = new Map<string, WordPosition[]>()
  let wordCount = 0
  for (const [event, row] of texts.entries())
    for (const text of row) {
      wordCount += text.stems.length
      for (const [at, stem] of text.stems.entries()) {
        const all = positions.get(stem)
        if (all) all.push({ event, text, at })
        else positions.set(stem, [{ event, text, at }])
      }
    }
  return { texts, positions, wordCount }
}

const hasSameTexts = (a: TextRow, b: TextRow) =>
  a.moments === b.moments &&
  a.title === b.title &&
  a.labels === b.labels &&
  a.tags === b.tags &&
  a.device_id === b.device_id &&
  a.counts === b.counts
