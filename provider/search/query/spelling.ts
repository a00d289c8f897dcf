import wordList from '../lexicon/data/english-word-stems.json' with { type: 'json' }
import { STOP_WORDS } from '../lexicon/stop-words.ts'
import { findSynonymGroup, listLexiconTerms } from '../lexicon/lookup.ts'
import { stemWord } from './stemmer.ts'

/** Minimum length of a word for spelling correction. Too many other words are one typo away from a shorter word. */
const MIN_CORRECTED_LENGTH = 5
/** Minimum length of a word for which a swap of non-adjacent letters counts as one typo. */
const MIN_DISTANT_SWAP_LENGTH = 7

let englishStems: ReadonlySet<string> | null = null

function isEnglishWord(word: string): boolean {
  englishStems ??= new Set(wordList.stems.join(' ').split(' '))
  return englishStems.has(stemWord(word)) || STOP_WORDS.has(word) || findSynonymGroup(word) !== undefined
}

/**
 * Returns the words that are one typo away from an unknown word, words of the home first. Returns none for a short or
 * English word. `listVocabulary`: returns the home's stems and names that start with a given letter.
 */
export function correctTypos(word: string, listVocabulary: (initial: string) => readonly string[]): string[] {
  if (word.length < MIN_CORRECTED_LENGTH || isEnglishWord(word)) return []
  const forms = listWordForms(word)
  const isCorrection = (candidate: string) =>
    candidate.length >= MIN_CORRECTED_LENGTH - 1 &&
    candidate[0] === word[0] &&
    forms.some((form) => isOneTypo(form, candidate))
  return [...new Set([...listVocabulary(word.slice(0, 1)), ...listLexiconTerms()])].filter(isCorrection)
}

/** Returns a lexicon word with this stem for display. Returns the stem itself if there is no such word. */
export const findDisplayWord = (stem: string): string =>
  listLexiconTerms().find((word) => stemWord(word) === stem) ?? stem

const listWordForms = (word: string) =>
  [...new Set([word, stemWord(word), word.replace(/(s|ed|ing|er)$/, '')])].filter(
    (form) => form.length >= MIN_CORRECTED_LENGTH - 1,
  )

/**
 * Returns true if the words have the same initial and differ by one typo: a letter inserted, deleted or replaced, or
 * two letters swapped. The swapped letters must be adjacent in words shorter than `MIN_DISTANT_SWAP_LENGTH`.
 */
export function isOneTypo(a: string, b: string): boolean {
  if (a === b || a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  let prefixLength = 0
  while (prefixLength < a.length && a[prefixLength] === b[prefixLength]) prefixLength += 1
  const [restA, restB] = [a.slice(prefixLength), b.slice(prefixLength)]
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0]) ||
    (a.length >= MIN_DISTANT_SWAP_LENGTH && isLetterSwap(restA, restB))
  )
}

function isLetterSwap(a: string, b: string): boolean {
  const others = [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]))
  const [first = 0, second = 0] = others
  return a.length === b.length && others.length === 2 && a[first] === b[second] && a[second] === b[first]
}
