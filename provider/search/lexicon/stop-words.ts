import file from './data/stop-words.json' with { type: 'json' }
import { parseWordList } from './parse-lexicon.ts'

export const STOP_WORDS: ReadonlySet<string> = new Set(file.words.join(' ').split(' '))

/** Phrases that the search ignores, although a word in them has a meaning in other phrases. */
export const STOP_PHRASES: ReadonlySet<string> = new Set(parseWordList(file.phrases.join(',')))

/**
 * Words that stand for people, but only if the query names no other thing. `did someone ring` names ringing, so the
 * search does not require people.
 */
export const PERSON_QUESTION_WORDS: ReadonlySet<string> = new Set([
  'who',
  ...['did', 'has', 'have', 'is', 'was', 'does', 'do', 'were'].flatMap((verb) =>
    ['someone', 'somebody', 'anyone', 'anybody'].map((person) => `${verb} ${person}`),
  ),
])

export const NEGATIONS: ReadonlySet<string> = new Set(file.negations.split(' '))
/** Phrases that exclude clips with people. */
export const NO_PEOPLE_PHRASES: ReadonlySet<string> = new Set(parseWordList(file.noPeople))

/** Number words and digits that form a separate concept before a thing, as in `two people`. */
export const NUMBER_WORDS: readonly (readonly string[])[] = [
  ['two', '2'],
  ['three', '3'],
  ['four', '4'],
  ['five', '5'],
  ['six', '6'],
]
