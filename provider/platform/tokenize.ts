/** Signs of English alone; most texts have no others. */
const PLAIN = /^[\x20-\x7e]*$/
/** Accents of Latin letters; the marks of other scripts make other words. */
const ACCENTS = /(?<=\p{Script=Latin})[\u0300-\u036f]+/gu
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts that put no blanks between words. */
const UNDIVIDED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** A word as it is compared, and where it stands in its text; `to` not included. */
export interface PlacedWord {
  readonly word: string
  readonly from: number
  readonly to: number
}

/** A word as the index folds it, lower case and without accents, to which the last sigma of a Greek word is one like any other. */
export const compared = (word: string) =>
  PLAIN.test(word)
    ? word.toLowerCase()
    : word.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')

/** Words as the index has them: lower case, without accents. */
export function tokenize(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return tokenizeWithOffsets(text).map(({ word }) => word)
}

/** Words and where they stand. What is written without blanks is cut. */
export function tokenizeWithOffsets(text: string): PlacedWord[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: found, index }) =>
    (UNDIVIDED.test(found) ? [...segmenter.segment(found)] : [{ segment: found, index: 0 }]).map((part) => ({
      word: compared(part.segment),
      from: index + part.index,
      to: index + part.index + part.segment.length,
    })),
  )
}

/** A text whose words the index can tell apart: where its script puts no blanks, marks stand between them that nobody sees. */
export const segmentUnspacedText = (text: string): string =>
  UNDIVIDED.test(text)
    ? text.replace(WORD, (found) =>
        UNDIVIDED.test(found) ? [...segmenter.segment(found)].map(({ segment }) => segment).join('\u200b') : found,
      )
    : text

/** Stands around each entry of a list of words in a text, so that `instr` finds an entry. */
const SEPARATOR = '\u001f'
/** Joins words as the columns `tag_index` and `label_index` have them. */
export const marked = (words: readonly string[]): string =>
  words.length === 0 ? '' : SEPARATOR + words.map((word) => word.replaceAll(SEPARATOR, ' ')).join(SEPARATOR) + SEPARATOR
