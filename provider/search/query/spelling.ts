import wordList from '../lexicon/data/english-word-stems.json' with { type: 'json' }
import { FILLER } from '../lexicon/stop-words.ts'
import { findGroup, listLexiconTerms } from '../lexicon/lookup.ts'
import { stemWord } from './stemmer.ts'

/** Minimum length of a word that is corrected. Too many other words are one letter away from a shorter word. */
const SHORT = 5
/** In words of at least this many letters, the correction also swaps letters that are not adjacent. */
const LONG = 7

let englishStems: ReadonlySet<string> | null = null

/** Returns true if the word is English and therefore no typo. */
function isWord(word: string): boolean {
  englishStems ??= new Set(wordList.stems.join(' ').split(' '))
  return englishStems.has(stemWord(word)) || FILLER.has(word) || findGroup(word) !== undefined
}

/**
 * Returns possible corrections of an unknown word: first words of the home that are one typo away, then lexicon words.
 * Returns none for a short or English word. `vocabulary` returns the home's names and stems with an initial.
 */
export function correctTypos(word: string, vocabulary: (initial: string) => readonly string[]): string[] {
  if (word.length < SHORT || isWord(word)) return []
  const forms = listWordForms(word)
  const isSlip = (candidate: string) =>
    candidate.length >= SHORT - 1 && candidate[0] === word[0] && forms.some((form) => isOneSlip(form, candidate))
  return [...new Set([...vocabulary(word.slice(0, 1)), ...listLexiconTerms()])].filter(isSlip)
}

/** Returns a word with this stem that can be displayed; the stem itself if the lexicon contains no such word. */
export const wordFor = (stem: string): string => listLexiconTerms().find((word) => stemWord(word) === stem) ?? stem

const listWordForms = (word: string) =>
  [...new Set([word, stemWord(word), word.replace(/(s|ed|ing|er)$/, '')])].filter((form) => form.length >= SHORT - 1)

/**
 * Returns true if the words differ by one typo: a letter inserted, deleted or replaced, or two adjacent letters swapped
 * (in long words any two letters). The first letters must be equal.
 */
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

/** Returns true if the words differ only in two letters that are swapped. */
function isExchange(a: string, b: string): boolean {
  const others = [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]))
  const [first = 0, second = 0] = others
  return a.length === b.length && others.length === 2 && a[first] === b[second] && a[second] === b[first]
}
