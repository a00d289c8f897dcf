import type { SearchCoverageCounts, QueryInterpretation } from '../../../contract/search/search-calls.ts'
import { inClips } from './counts.ts'

/** `“hat”`, `“hat” and “scarf”`, `“hat”, “scarf” and “glove”`. */
function quoted(words: readonly string[], link: 'and' | 'or' = 'and'): string {
  const all = [...new Set(words)].map((word) => `“${word}”`)
  const last = all.pop() ?? ''
  return all.length === 0 ? last : `${all.join(', ')} ${link} ${last}`
}

export interface SearchNote {
  readonly about: keyof QueryInterpretation
  readonly text: string
}

/** Returns the notes above the results; `isFound`: there are matches. */
export function searchNotes(interpretation: QueryInterpretation, isFound: boolean): SearchNote[] {
  const all: readonly (readonly [keyof QueryInterpretation, string])[] = [
    ['instead', insteadNote(interpretation.instead, isFound)],
    [
      'without',
      interpretation.without.length > 0 ? `Leaving out clips that say ${quoted(interpretation.without, 'or')}.` : '',
    ],
    [
      'unknown',
      interpretation.unknown.length > 0 ? `Not understood, and not looked for: ${listed(interpretation.unknown)}.` : '',
    ],
  ]
  return all.flatMap(([about, text]) => (text === '' ? [] : [{ about, text }]))
}

/** Joins a heading and its notes into one text for screen readers. */
export const inOneText = (heading: string, notes: readonly Pick<SearchNote, 'text'>[]): string => {
  const sentences = notes.map(({ text }) => text).filter(Boolean)
  return sentences.length > 0 ? `${heading}. ${sentences.join(' ')}` : heading
}

const listed = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ')

function insteadNote(instead: QueryInterpretation['instead'], isFound: boolean): string {
  if (instead.length === 0) return ''
  const originals = quoted(
    instead.map((correction) => correction.asked),
    'or',
  )
  const replacements = quoted(instead.map((correction) => correction.shown))
  return `Nothing says ${originals}. ${isFound ? `Showing ${replacements}.` : `Looked for ${replacements} instead.`}`
}

/** Label of the action that turns off spelling correction: `Search for “drivway” as written`. */
export const asWrittenLabel = (instead: QueryInterpretation['instead']): string =>
  `Search for ${quoted(instead.map(({ asked: original }) => original))} as written`

/** Returns the unmatched terms, with a corrected typo replaced by its correction. */
function unmatchedTerms({ nowhere, instead }: QueryInterpretation): string[] {
  const replacements = new Map(instead.map((correction) => [correction.asked, correction.shown]))
  return nowhere.map((words) => replacements.get(words) ?? words)
}

export const closestNote = (interpretation: QueryInterpretation): string =>
  interpretation.nowhere.length > 0
    ? `without ${quoted(unmatchedTerms(interpretation))}`
    : 'not close enough to be a match'

/** Returns true if the search compared any clips with the query; `isAnyClose`: there are near misses. */
export const isLookedFor = ({ places, nowhere, unknown }: QueryInterpretation, isAnyClose: boolean): boolean =>
  places.length === 0 && (isAnyClose || nowhere.length > 0 || unknown.length === 0)

/** Explains why there is no match and how many clips were searched. */
export function lookedThrough(
  interpretation: QueryInterpretation,
  coverage: SearchCoverageCounts,
  isAnyClose: boolean,
): string {
  if (interpretation.places.length > 0)
    return `No camera is known to look at ${quoted(interpretation.places, 'or')}. Where a camera looks is said in its settings, or by its name.`
  if (!isLookedFor(interpretation, isAnyClose)) return 'There was nothing to look for. Say who, what, where or when.'
  const { clips: all, searched, arriving, waiting } = coverage
  if (all === 0) return 'No camera recorded anything in this time.'
  const none =
    interpretation.nowhere.length > 0
      ? `none says ${quoted(unmatchedTerms(interpretation), 'or')}`
      : 'none was close enough to call a match'
  const are = (clips: number, state: string) => clips > 0 && `${inClips(clips)} ${clips === 1 ? 'is' : 'are'} ${state}.`
  return [
    `We looked through ${inClips(searched)} and ${none}.`,
    are(arriving, 'still arriving'),
    are(waiting, 'still waiting for a description'),
  ]
    .filter(Boolean)
    .join(' ')
}
