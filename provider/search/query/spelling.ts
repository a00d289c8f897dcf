import { ENGLISH } from '../lexicon/english-word-list.ts'
import { FILLER } from '../lexicon/stop-words.ts'
import { findGroup, listLexiconTerms } from '../lexicon/lookup.ts'
import { stemWord } from './stemmer.ts'

/** Shorter words are taken as they are: too many others are one letter away. */
const SHORT = 5
/** In words of so many letters two that are no neighbours may be exchanged. */
const LONG = 7

let english: ReadonlySet<string> | null = null

/** Whether it is a word of the language, so that nobody has mistyped it. */
function isWord(word: string): boolean {
  english ??= new Set(ENGLISH.split(/\s+/))
  return english.has(stemWord(word)) || FILLER.has(word) || findGroup(word) !== undefined
}

/**
 * Words that may be meant by one that nothing says: those of the home that are one slip away, then those of the tables; none where it
 * may well be the word that was meant. `vocabulary`: words and names of the home with an initial, words as stems.
 */
export function correctTypos(word: string, vocabulary: (initial: string) => readonly string[]): string[] {
  if (word.length < SHORT || isWord(word)) return []
  const forms = listWordForms(word)
  const isSlip = (candidate: string) =>
    candidate.length >= SHORT - 1 && candidate[0] === word[0] && forms.some((form) => isOneSlip(form, candidate))
  return [...new Set([...vocabulary(word.slice(0, 1)), ...listLexiconTerms()])].filter(isSlip)
}

/** A word to show for a stem. */
export const wordFor = (stem: string): string => listLexiconTerms().find((word) => stemWord(word) === stem) ?? stem

/** A word as it is, and without its ending. */
const listWordForms = (word: string) =>
  [...new Set([word, stemWord(word), word.replace(/(s|ed|ing|er)$/, '')])].filter((form) => form.length >= SHORT - 1)

/** A letter more, less or other, or two exchanged, in a long word also two that are no neighbours; the first one stays. */
export function isOneSlip(a: string, b: string): boolean {
  if (a === b || a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  const [restA, restB] = [a.slice(same), b.slice(same)]
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]) ||
    (a.length >= LONG && isExchange(restA, restB))
  )
}

/** Whether the first letter and a later one stand in each other's place, and all else is the same. */
function isExchange(a: string, b: string): boolean {
  const others = [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]))
  const [first = 0, second = 0] = others
  return a.length === b.length && others.length === 2 && a[first] === b[second] && a[second] === b[first]
}
