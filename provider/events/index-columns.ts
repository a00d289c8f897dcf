import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import { segmentUnspacedText } from '../platform/tokenize.ts'

/** Matches control characters. JSON escapes them with letters, which the index would treat as words. */
const CONTROL_CHARACTERS = /\p{Cc}+/gu

/**
 * Returns two JSON arrays for the moments of an event, in order of time: their sentences, and their times in seconds
 * from the start of the clip. Returns nulls if there is no description.
 */
export function toMomentColumns({ moments }: Pick<BridgeEvent, 'moments'>): [string | null, string | null] {
  if (moments === undefined) return [null, null]
  const sorted = moments.toSorted((a, b) => a.at_s - b.at_s)
  return [
    JSON.stringify(sorted.map(({ text }) => segmentUnspacedText(text.replace(CONTROL_CHARACTERS, ' ')))),
    JSON.stringify(sorted.map(({ at_s }) => at_s)),
  ]
}

/** Returns the detections in an event's clip as JSON; null if unknown. */
export const toDetectionsColumn = ({ found }: Pick<BridgeEvent, 'found'>): string | null =>
  found === undefined ? null : JSON.stringify(found)

const NUMBER_WORDS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const KIND_WORDS: Readonly<Record<string, string>> = {
  person: 'people',
  pet: 'animals',
  vehicle: 'vehicles',
  package: 'parcels',
}

/**
 * Returns per kind the largest number of objects visible at the same time, such as `two people, three animals`. Omits
 * unknown kinds, and kinds with one object or more than eight. Returns null if no kind remains.
 */
export function toCountsColumn({ found = [] }: Pick<BridgeEvent, 'found'>): string | null {
  const counts = [...Map.groupBy(found, ({ kind }) => kind)].flatMap(([kind, tracks]) => {
    const maxCount = Math.max(...tracks.map(({ boxes }) => countTracksAt(tracks, boxes[0]?.[0] ?? 0)))
    const [number, word] = [NUMBER_WORDS[maxCount], KIND_WORDS[kind]]
    return maxCount > 1 && number !== undefined && word !== undefined ? [`${number} ${word}`] : []
  })
  return counts.length > 0 ? counts.join(', ') : null
}

/** Counts the tracks that are present at a time of the clip. `at`: hundredths of a second. */
const countTracksAt = (tracks: readonly DetectionTrack[], at: number) =>
  tracks.filter(({ boxes }) => (boxes[0]?.[0] ?? Infinity) <= at && (boxes.at(-1)?.[0] ?? -1) >= at).length

const DOCUMENT_TIME_SHIFT = 20
/** Number of document ids per millisecond. */
export const IDS_PER_MS = 2 ** DOCUMENT_TIME_SHIFT
/** Latest time that document ids can represent, ms UTC. Later times are clamped to it. */
export const MAX_DOCUMENT_TIME_MS = 8_000_000_000_000

/**
 * Returns SQL for the first document id at a time (SQL parameter, ms UTC). Never read an id as a number, because ids
 * exceed safe integers.
 */
export const firstDocumentIdSql = (parameter: string) =>
  `(CAST(min(${parameter}, ${MAX_DOCUMENT_TIME_MS}) AS INTEGER) * ${IDS_PER_MS})`
/** Returns SQL for the last document id at a time. */
export const lastDocumentIdSql = (parameter: string) => `(${firstDocumentIdSql(parameter)} + ${IDS_PER_MS - 1})`
/** Returns SQL for the document id of a new event at a time. */
export const nextDocumentIdSql = (parameter: string) =>
  `(SELECT coalesce(max(doc) + 1, ${firstDocumentIdSql(parameter)}) FROM events WHERE doc BETWEEN ${firstDocumentIdSql(parameter)} AND ${lastDocumentIdSql(parameter)})`
