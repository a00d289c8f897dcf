import { EVENT_TAGS } from '../../contract/events/event-tags.ts'
import { SEARCH_QUESTION_MAX } from '../../contract/wire/constants.ts'
import { FILLER } from '../../provider/search/lexicon/stop-words.ts'
import { GROUPS, LOCATIONS } from '../../provider/search/lexicon/lexicon.ts'

/** An expensive query; `days`: its time range in whole days before now. */
export interface Dear {
  readonly query: string
  readonly devices: readonly string[]
  readonly tags: readonly string[]
  readonly days: number
}

const COUNT = 200
const DAYS = 30
/** Words that occur in most clips of a home. No two of them have the same meaning. */
const COMMON =
  'person car dog night walk door garage street yard cat animal leave arrive run open water light window day face sound vehicle child woman man stranger visitor park wave book'.split(
    ' ',
  )
/** Words that occur in no clip, strings that are not words, and text that an index might parse as syntax. */
const ODD = [
  ...['zebra', 'xylophone', 'qqqq', '"', '* OR NEAR(', '{title} : dog', "'; DROP TABLE events; --", '犬', 'plate 4711'],
  ...['a', 'e', '1', 'plate', '4999', 'by', 'at'],
]

/** Returns 200 queries that make a search as expensive as possible. Every call returns the same queries. */
export function dearQueries(devices: readonly string[]): Dear[] {
  const next = numbers(37)
  const some = <T>(from: readonly T[], count: number) =>
    Array.from({ length: count }, () => from[next(from.length)]).filter((item) => item !== undefined)
  const groupWords = GROUPS.map(({ words }) => words[0] ?? '')
  const phrases = [...GROUPS.flatMap(({ words }) => words), ...LOCATIONS.flat()].filter((word) => word.includes(' '))
  const slips = COMMON.map((word) => `${word.slice(0, 2)}${word.slice(3)}x`)
  const makers: (() => string[])[] = [
    () => some(COMMON, 10),
    () => some(groupWords, 10),
    () => some(phrases, 6),
    () => some([...FILLER], 12),
    () => [...some(COMMON, 8), ...some(ODD, 2)],
    () => [...some(COMMON, 1), ...some(ODD, 1)],
    () => some(slips, 10),
    () => some(COMMON, 10).map((word) => word.slice(0, 3)),
    () => some(ODD, 8),
    () => ['stranger', ...some(COMMON, 1)],
    () => some(COMMON, 40),
    () => some(COMMON, 1),
  ]
  return Array.from({ length: COUNT }, (_, n) => ({
    query: (makers[n % makers.length]?.() ?? []).join(' ').slice(0, SEARCH_QUESTION_MAX),
    devices: next(3) === 0 ? some(devices, 1) : [],
    tags:
      next(3) === 0
        ? [EVENT_TAGS[next(EVENT_TAGS.length)]?.id ?? '4']
        : next(8) === 0
          ? EVENT_TAGS.map(({ id }) => id)
          : [],
    days: next(4) === 0 ? 1 + next(DAYS) : 2 * DAYS,
  }))
}

/** Returns a seeded generator of whole numbers below a bound. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
