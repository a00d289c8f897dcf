import { EVENT_TAGS } from '../../contract/events/event-tags.ts'
import { SEARCH_QUERY_MAX_CHARS } from '../../contract/wire/constants.ts'
import { STOP_WORDS } from '../../provider/search/lexicon/stop-words.ts'
import { SYNONYM_GROUPS, LOCATION_GROUPS } from '../../provider/search/lexicon/lexicon.ts'

/** Expensive query. `days`: its time range in whole days before now. */
export interface ExpensiveQuery {
  readonly query: string
  readonly devices: readonly string[]
  readonly tags: readonly string[]
  readonly days: number
}

const QUERY_COUNT = 200
const EVENT_SPAN_DAYS = 30
/** Words that occur in many clips of a home. */
const COMMON_WORDS =
  'person car dog night walk door garage street yard cat animal leave arrive run open water light window day face sound vehicle child woman man stranger visitor park wave book'.split(
    ' ',
  )
/**
 * Unusual words: words of no clip (`zebra`), of every clip (`plate`) and of few clips (`4999`), stop words, single
 * characters, and text that an index might parse as syntax.
 */
const ODD_WORDS = [
  'zebra',
  'xylophone',
  'qqqq',
  '"',
  '* OR NEAR(',
  '{title} : dog',
  "'; DROP TABLE events; --",
  '犬',
  'plate 4711',
  'a',
  'e',
  '1',
  'plate',
  '4999',
  'by',
  'at',
]

/** Returns 200 queries that are expensive to search. The same `devices` always give the same queries. */
export function buildExpensiveQueries(devices: readonly string[]): ExpensiveQuery[] {
  const nextRandom = createRandom(37)
  const pickRandom = <T>(from: readonly T[], count: number) =>
    Array.from({ length: count }, () => from[nextRandom(from.length)]).filter((item) => item !== undefined)
  const groupWords = SYNONYM_GROUPS.map(({ words }) => words[0] ?? '')
  const phrases = [...SYNONYM_GROUPS.flatMap(({ words }) => words), ...LOCATION_GROUPS.flat()].filter((word) =>
    word.includes(' '),
  )
  const typos = COMMON_WORDS.map((word) => `${word.slice(0, 2)}${word.slice(3)}x`)
  const wordPickers: (() => string[])[] = [
    () => pickRandom(COMMON_WORDS, 10),
    () => pickRandom(groupWords, 10),
    () => pickRandom(phrases, 6),
    () => pickRandom([...STOP_WORDS], 12),
    () => [...pickRandom(COMMON_WORDS, 8), ...pickRandom(ODD_WORDS, 2)],
    () => [...pickRandom(COMMON_WORDS, 1), ...pickRandom(ODD_WORDS, 1)],
    () => pickRandom(typos, 10),
    () => pickRandom(COMMON_WORDS, 10).map((word) => word.slice(0, 3)),
    () => pickRandom(ODD_WORDS, 8),
    () => ['stranger', ...pickRandom(COMMON_WORDS, 1)],
    () => pickRandom(COMMON_WORDS, 40),
    () => pickRandom(COMMON_WORDS, 1),
  ]
  return Array.from({ length: QUERY_COUNT }, (_, n) => ({
    query: (wordPickers[n % wordPickers.length]?.() ?? []).join(' ').slice(0, SEARCH_QUERY_MAX_CHARS),
    devices: nextRandom(3) === 0 ? pickRandom(devices, 1) : [],
    tags:
      nextRandom(3) === 0
        ? [EVENT_TAGS[nextRandom(EVENT_TAGS.length)]?.id ?? '4']
        : nextRandom(8) === 0
          ? EVENT_TAGS.map(({ id }) => id)
          : [],
    days: nextRandom(4) === 0 ? 1 + nextRandom(EVENT_SPAN_DAYS) : 2 * EVENT_SPAN_DAYS,
  }))
}

/** Returns a seeded generator of random integers from 0 to below the bound. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * bound)
  }
}
