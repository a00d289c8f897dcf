import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import { segmentUnspacedText } from '../platform/tokenize.ts'

/** Characters that JSON writes as letters, which the index would read as words. */
const ODD = /\p{Cc}+/gu

/** Sentences and seconds of an event's moments as they are stored, JSON each; nulls where nobody described it. */
export function momentColumns({ moments }: Pick<BridgeEvent, 'moments'>): [string | null, string | null] {
  if (moments === undefined) return [null, null]
  const sorted = moments.toSorted((a, b) => a.at_s - b.at_s)
  return [
    JSON.stringify(sorted.map(({ text }) => segmentUnspacedText(text.replace(ODD, ' ')))),
    JSON.stringify(sorted.map(({ at_s }) => at_s)),
  ]
}

/** What was found in an event's clip as it is stored, JSON; null where nobody knows. */
export const foundColumn = ({ found }: Pick<BridgeEvent, 'found'>): string | null =>
  found === undefined ? null : JSON.stringify(found)

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const KINDS: Readonly<Record<string, string>> = {
  person: 'people',
  pet: 'animals',
  vehicle: 'vehicles',
  package: 'parcels',
}

/** What was seen several times at once, in words that the index has: `two people, three animals`; null: nothing was. */
export function countsColumn({ found = [] }: Pick<BridgeEvent, 'found'>): string | null {
  const counts = [...Map.groupBy(found, ({ kind }) => kind)].flatMap(([kind, tracks]) => {
    const maxCount = Math.max(...tracks.map(({ boxes }) => thereAt(tracks, boxes[0]?.[0] ?? 0)))
    const [number, word] = [NUMBERS[maxCount], KINDS[kind]]
    return maxCount > 1 && number !== undefined && word !== undefined ? [`${number} ${word}`] : []
  })
  return counts.length > 0 ? counts.join(', ') : null
}

/** How many of the tracks are there at a time of the clip, hundredths of a second. */
const thereAt = (tracks: readonly DetectionTrack[], at: number) =>
  tracks.filter(({ boxes }) => (boxes[0]?.[0] ?? Infinity) <= at && (boxes.at(-1)?.[0] ?? -1) >= at).length

/** How many events of the same millisecond the index tells apart. */
const SPACE = 1_048_576
/** Later times count as this one, so that the numbers fit. */
const LAST_MS = 8_000_000_000_000

/** SQL of the first number in the index of a time, a parameter in ms UTC. Never read into JavaScript, whose numbers are too short for it. */
export const docAt = (parameter: string) => `(CAST(min(${parameter}, ${LAST_MS}) AS INTEGER) * ${SPACE})`
/** SQL of the last one. */
export const lastDocAt = (parameter: string) => `(${docAt(parameter)} + ${SPACE - 1})`
/** SQL of the number that a new event of that time gets. */
export const nextDoc = (parameter: string) =>
  `(SELECT coalesce(max(doc) + 1, ${docAt(parameter)}) FROM events WHERE doc BETWEEN ${docAt(parameter)} AND ${lastDocAt(parameter)})`
