import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import { segmentUnspacedText } from '../platform/tokenize.ts'

/** Control characters: JSON escapes them as letters, which the index would read as words. */
const ODD = /\p{Cc}+/gu

/** Returns sentences and seconds of an event's moments as JSON for the index; nulls without a description. */
export function momentColumns({ moments }: Pick<BridgeEvent, 'moments'>): [string | null, string | null] {
  if (moments === undefined) return [null, null]
  const sorted = moments.toSorted((a, b) => a.at_s - b.at_s)
  return [
    JSON.stringify(sorted.map(({ text }) => segmentUnspacedText(text.replace(ODD, ' ')))),
    JSON.stringify(sorted.map(({ at_s }) => at_s)),
  ]
}

/** Returns the detections in an event's clip as JSON; null if unknown. */
export const foundColumn = ({ found }: Pick<BridgeEvent, 'found'>): string | null =>
  found === undefined ? null : JSON.stringify(found)

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const KINDS: Readonly<Record<string, string>> = {
  person: 'people',
  pet: 'animals',
  vehicle: 'vehicles',
  package: 'parcels',
}

/**
 * Returns how many objects of each kind are visible together, in words for the index, such as `two people, three
 * animals`. Single objects are not mentioned. Null if nothing remains.
 */
export function countsColumn({ found = [] }: Pick<BridgeEvent, 'found'>): string | null {
  const counts = [...Map.groupBy(found, ({ kind }) => kind)].flatMap(([kind, tracks]) => {
    const maxCount = Math.max(...tracks.map(({ boxes }) => thereAt(tracks, boxes[0]?.[0] ?? 0)))
    const [number, word] = [NUMBERS[maxCount], KINDS[kind]]
    return maxCount > 1 && number !== undefined && word !== undefined ? [`${number} ${word}`] : []
  })
  return counts.length > 0 ? counts.join(', ') : null
}

/** Counts the tracks present at a time of the clip, in hundredths of a second. */
const thereAt = (tracks: readonly DetectionTrack[], at: number) =>
  tracks.filter(({ boxes }) => (boxes[0]?.[0] ?? Infinity) <= at && (boxes.at(-1)?.[0] ?? -1) >= at).length

/** Number of document ids per millisecond. */
const SPACE = 1_048_576
/** Latest time of a document id; later times are clamped so that the ids fit. */
const LAST_MS = 8_000_000_000_000

/**
 * Returns SQL for the first document id at a time; the parameter is ms UTC. Document ids exceed JavaScript's safe
 * integers, so never read them as numbers.
 */
export const docAt = (parameter: string) => `(CAST(min(${parameter}, ${LAST_MS}) AS INTEGER) * ${SPACE})`
/** Returns SQL for the last document id at a time. */
export const lastDocAt = (parameter: string) => `(${docAt(parameter)} + ${SPACE - 1})`
/** Returns SQL for the document id that a new event at that time gets. */
export const nextDoc = (parameter: string) =>
  `(SELECT coalesce(max(doc) + 1, ${docAt(parameter)}) FROM events WHERE doc BETWEEN ${docAt(parameter)} AND ${lastDocAt(parameter)})`
