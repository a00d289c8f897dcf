import type { Coverage, Said } from '../../../contract/search/search-calls.ts'
import { inClips } from './counts.ts'

/** What was made of a question, in sentences. */

/** `“hat”`, `“hat” and “scarf”`, `“hat”, “scarf” and “glove”`. */
function quoted(words: readonly string[], link: 'and' | 'or' = 'and'): string {
  const all = [...new Set(words)].map((word) => `“${word}”`)
  const last = all.pop() ?? ''
  return all.length === 0 ? last : `${all.join(', ')} ${link} ${last}`
}

export interface SearchNote {
  readonly about: keyof Said
  readonly text: string
}

/** The notes above what was found, or was not; `isFound`: something was. */
export function notesOf(said: Said, isFound: boolean): SearchNote[] {
  const all: readonly (readonly [keyof Said, string])[] = [
    ['instead', insteadNote(said.instead, isFound)],
    ['without', said.without.length > 0 ? `Leaving out clips that say ${quoted(said.without, 'or')}.` : ''],
    ['unknown', said.unknown.length > 0 ? `Not understood, and not looked for: ${listed(said.unknown)}.` : ''],
  ]
  return all.flatMap(([about, text]) => (text === '' ? [] : [{ about, text }]))
}

/** A heading and sentences after it, as they are read out. */
export const inOneText = (heading: string, notes: readonly Pick<SearchNote, 'text'>[]): string => {
  const sentences = notes.map(({ text }) => text).filter(Boolean)
  return sentences.length > 0 ? `${heading}. ${sentences.join(' ')}` : heading
}

const listed = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ')

function insteadNote(instead: Said['instead'], isFound: boolean): string {
  if (instead.length === 0) return ''
  const asked = quoted(
    instead.map((one) => one.asked),
    'or',
  )
  const shown = quoted(instead.map((one) => one.shown))
  return `Nothing says ${asked}. ${isFound ? `Showing ${shown}.` : `Looked for ${shown} instead.`}`
}

/** What asks for the words that were taken for others as they are: `Search for “drivway” as written`. */
export const asWrittenLabel = (instead: Said['instead']): string =>
  `Search for ${quoted(instead.map(({ asked }) => asked))} as written`

/** What nothing says: of a word that was taken for another one, that one. */
function nowhereOf({ nowhere, instead }: Said): string[] {
  const shown = new Map(instead.map((one) => [one.asked, one.shown]))
  return nowhere.map((words) => shown.get(words) ?? words)
}

/** What came nearest, beside its heading. */
export const closestNote = (said: Said): string =>
  said.nowhere.length > 0 ? `without ${quoted(nowhereOf(said))}` : 'not close enough to be a match'

/** Whether any clip was looked at for the question; `isAnyClose`: something came near. */
export const isLookedFor = ({ places, nowhere, unknown }: Said, isAnyClose: boolean): boolean =>
  places.length === 0 && (isAnyClose || nowhere.length > 0 || unknown.length === 0)

/** Why nothing was found, and what was looked through for it. */
export function lookedThrough(said: Said, coverage: Coverage, isAnyClose: boolean): string {
  if (said.places.length > 0)
    return `No camera is known to look at ${quoted(said.places, 'or')}. Where a camera looks is said in its settings, or by its name.`
  if (!isLookedFor(said, isAnyClose)) return 'There was nothing to look for. Say who, what, where or when.'
  const { clips: all, searched, arriving, waiting } = coverage
  if (all === 0) return 'No camera recorded anything in this time.'
  const none =
    said.nowhere.length > 0 ? `none says ${quoted(nowhereOf(said), 'or')}` : 'none was close enough to call a match'
  const are = (clips: number, what: string) => clips > 0 && `${inClips(clips)} ${clips === 1 ? 'is' : 'are'} ${what}.`
  return [
    `We looked through ${inClips(searched)} and ${none}.`,
    are(arriving, 'still arriving'),
    are(waiting, 'still waiting for a description'),
  ]
    .filter(Boolean)
    .join(' ')
}
