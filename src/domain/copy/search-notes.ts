import type { SearchCoverageCounts, QueryInterpretation } from '../../../contract/search/search-calls.ts'
import { formatClipCount } from './counts.ts'
import { formatList } from './lists.ts'

function joinQuoted(words: readonly string[], link?: 'disjunction'): string {
  return formatList(
    [...new Set(words)].map((word) => `“${word}”`),
    link,
  )
}

export interface SearchNote {
  readonly about: keyof QueryInterpretation
  readonly text: string
}

/** Returns the notes above the results. `isFound`: true if there are matches. */
export function searchNotes(interpretation: QueryInterpretation, isFound: boolean): SearchNote[] {
  const all: readonly (readonly [keyof QueryInterpretation, string])[] = [
    ['instead', correctionNote(interpretation.instead, isFound)],
    [
      'without',
      interpretation.without.length > 0
        ? `Excluding clips that mention ${joinQuoted(interpretation.without, 'disjunction')}.`
        : '',
    ],
    [
      'unknown',
      interpretation.unknown.length > 0
        ? `We ignored words we didn’t understand: ${listQuoted(interpretation.unknown)}.`
        : '',
    ],
  ]
  return all.flatMap(([about, text]) => (text === '' ? [] : [{ about, text }]))
}

/** Joins a heading and its notes into one text for screen readers. */
export const joinNotes = (heading: string, notes: readonly Pick<SearchNote, 'text'>[]): string => {
  const sentences = notes.map(({ text }) => text).filter(Boolean)
  return sentences.length > 0 ? `${heading}. ${sentences.join(' ')}` : heading
}

const listQuoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ')

function correctionNote(instead: QueryInterpretation['instead'], isFound: boolean): string {
  if (instead.length === 0) return ''
  const originals = joinQuoted(
    instead.map((correction) => correction.asked),
    'disjunction',
  )
  const replacements = joinQuoted(instead.map((correction) => correction.shown))
  return `No clips mention ${originals}. ${isFound ? `Showing results for ${replacements}.` : `Searched for ${replacements} instead.`}`
}

/** Label of the button that turns off spelling correction: `Search for “drivway” as written`. */
export const searchAsWrittenLabel = (instead: QueryInterpretation['instead']): string =>
  `Search for ${joinQuoted(instead.map(({ asked: original }) => original))} as written`

/** Returns the unmatched terms. Replaces a corrected typo with its correction. */
function unmatchedTerms({ nowhere, instead }: QueryInterpretation): string[] {
  const replacements = new Map(instead.map((correction) => [correction.asked, correction.shown]))
  return nowhere.map((words) => replacements.get(words) ?? words)
}

export const nearMissNote = (interpretation: QueryInterpretation): string =>
  interpretation.nowhere.length > 0
    ? `without ${joinQuoted(unmatchedTerms(interpretation))}`
    : 'not close enough to count as results'

/** Returns true if the search compared clips with the query. `isAnyClose`: true if there are near misses. */
export const wasSearched = ({ places, nowhere, unknown }: QueryInterpretation, isAnyClose: boolean): boolean =>
  places.length === 0 && (isAnyClose || nowhere.length > 0 || unknown.length === 0)

/** Explains why there is no match and how many clips were searched. */
export function noMatchText(
  interpretation: QueryInterpretation,
  coverage: SearchCoverageCounts,
  isAnyClose: boolean,
): string {
  if (interpretation.places.length > 0)
    return `No camera covers ${joinQuoted(interpretation.places, 'disjunction')}. Set a camera’s location in its settings, or add the place to its name.`
  if (!wasSearched(interpretation, isAnyClose))
    return 'We couldn’t tell what to search for. Try a person, object, place, or time.'
  const { clips: all, searched, arriving, waiting } = coverage
  if (all === 0) return 'Your cameras didn’t record anything during this time.'
  const none =
    interpretation.nowhere.length > 0
      ? `found no mention of ${joinQuoted(unmatchedTerms(interpretation), 'disjunction')}`
      : 'found no matches'
  const formatPending = (clips: number, state: string) =>
    clips > 0 && `${formatClipCount(clips)} ${clips === 1 ? 'is' : 'are'} ${state}.`
  return [
    searched === 0
      ? 'We couldn’t search any clips from this time.'
      : `We searched ${formatClipCount(searched)} and ${none}.`,
    formatPending(arriving, 'still uploading'),
    formatPending(waiting, 'still waiting for a description'),
  ]
    .filter(Boolean)
    .join(' ')
}
