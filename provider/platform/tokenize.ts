/** Matches plain ASCII text, which needs no Unicode normalization. Most texts match. */
const ASCII_PATTERN = /^[\x20-\x7e]*$/
/** Matches the words of a plain ASCII text in lower case. */
const ASCII_WORD_PATTERN = /[a-z0-9]+/g
/**
 * Matches accents of Latin letters, which the search ignores. Combining marks of other scripts distinguish words, so
 * they stay.
 */
const ACCENT_PATTERN = /(?<=\p{Script=Latin})[\u0300-\u036f]+/gu
const WORD_PATTERN = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED_SCRIPT_PATTERN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Folded word with its start and end in the text. `to` is exclusive. */
export interface WordWithOffsets {
  readonly word: string
  readonly from: number
  readonly to: number
}

/** Folds a word like the search index: lower case, without accents. A final Greek sigma becomes an ordinary sigma. */
export const foldWord = (word: string) =>
  ASCII_PATTERN.test(word)
    ? word.toLowerCase()
    : word.normalize('NFKD').replace(ACCENT_PATTERN, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')

/** Splits a text into words and folds them like the search index: lower case, without accents. */
export function tokenize(text: string): string[] {
  if (ASCII_PATTERN.test(text)) return text.toLowerCase().match(ASCII_WORD_PATTERN) ?? []
  return tokenizeWithOffsets(text).map(({ word }) => word)
}

/**
 * Returns the folded words of a text with their offsets. Also separates the words of scripts without spaces, such as
 * Thai.
 */
export function tokenizeWithOffsets(text: string): WordWithOffsets[] {
  if (ASCII_PATTERN.test(text)) {
    let to = 0
    const folded = text.toLowerCase()
    return (folded.match(ASCII_WORD_PATTERN) ?? []).map((word) => {
      const from = folded.indexOf(word, to)
      to = from + word.length
      return { word, from, to }
    })
  }
  return [...text.matchAll(WORD_PATTERN)].flatMap(({ 0: found, index }) =>
    (UNSPACED_SCRIPT_PATTERN.test(found) ? [...segmenter.segment(found)] : [{ segment: found, index: 0 }]).map(
      (part) => ({
        word: foldWord(part.segment),
        from: index + part.index,
        to: index + part.index + part.segment.length,
      }),
    ),
  )
}

/**
 * Inserts zero-width spaces between the words of scripts without spaces. The search index can then separate these
 * words.
 */
export const segmentUnspacedText = (text: string): string =>
  UNSPACED_SCRIPT_PATTERN.test(text)
    ? text.replace(WORD_PATTERN, (found) =>
        UNSPACED_SCRIPT_PATTERN.test(found)
          ? [...segmenter.segment(found)].map(({ segment }) => segment).join('\u200b')
          : found,
      )
    : text

/** Separator before and after each entry in a text column with a list. It lets `instr` match only whole entries. */
const ENTRY_SEPARATOR = '\u001f'
/** Joins entries in the format of the columns `tag_index` and `label_index`. */
export const joinIndexEntries = (words: readonly string[]): string =>
  words.length === 0
    ? ''
    : ENTRY_SEPARATOR +
      words.map((word) => word.replaceAll(ENTRY_SEPARATOR, ' ')).join(ENTRY_SEPARATOR) +
      ENTRY_SEPARATOR
