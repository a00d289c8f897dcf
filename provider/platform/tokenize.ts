/** Fast path: most texts are plain ASCII. */
const PLAIN = /^[\x20-\x7e]*$/
/** Accents of Latin letters, which comparisons ignore. In other scripts, combining marks distinguish words and stay. */
const ACCENTS = /(?<=\p{Script=Latin})[\u0300-\u036f]+/gu
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts without spaces between words. */
const UNDIVIDED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Folded word and its offsets in the text; `to` is exclusive. */
export interface PlacedWord {
  readonly word: string
  readonly from: number
  readonly to: number
}

/** Folds a word like the index: lower case, without accents. A final Greek sigma equals any other sigma. */
export const compared = (word: string) =>
  PLAIN.test(word)
    ? word.toLowerCase()
    : word.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')

/** Returns the words of a text as the index stores them: lower case, without accents. */
export function tokenize(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return tokenizeWithOffsets(text).map(({ word }) => word)
}

/** Returns the folded words of a text with their offsets. Splits text in scripts without spaces into words. */
export function tokenizeWithOffsets(text: string): PlacedWord[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: found, index }) =>
    (UNDIVIDED.test(found) ? [...segmenter.segment(found)] : [{ segment: found, index: 0 }]).map((part) => ({
      word: compared(part.segment),
      from: index + part.index,
      to: index + part.index + part.segment.length,
    })),
  )
}

/** Inserts zero-width spaces between words of scripts without spaces, so that the index can separate them. */
export const segmentUnspacedText = (text: string): string =>
  UNDIVIDED.test(text)
    ? text.replace(WORD, (found) =>
        UNDIVIDED.test(found) ? [...segmenter.segment(found)].map(({ segment }) => segment).join('\u200b') : found,
      )
    : text

/** Separator before and after each entry of a list in a text column, so that `instr` matches whole entries only. */
const SEPARATOR = '\u001f'
/** Joins words in the format of the columns `tag_index` and `label_index`. */
export const marked = (words: readonly string[]): string =>
  words.length === 0 ? '' : SEPARATOR + words.map((word) => word.replaceAll(SEPARATOR, ' ')).join(SEPARATOR) + SEPARATOR
