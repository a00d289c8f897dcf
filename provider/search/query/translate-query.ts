import { TRANSLATIONS } from '../lexicon/lexicon.ts'
import { parseTranslations } from '../lexicon/parse-lexicon.ts'
import { foldWord } from '../../platform/tokenize.ts'

export interface Token {
  /** English translation: empty for words without meaning; the original words if the lexicon does not contain them. */
  readonly english: string
  /** Original words of the query, normalized like the words of the search index. */
  readonly said: string
}

/** Verb or negation of two parts that may have other words between them, such as `kommt ... an`. */
interface TwoPartEntry {
  readonly second: string
  readonly english: readonly [first: string, second: string]
  /** True if the second part counts only at the end of a clause. Elsewhere, a word such as `an` is a preposition. */
  readonly isLast: boolean
}

interface TranslationTable {
  readonly phrases: ReadonlyMap<string, string>
  /**
   * Pairs of a word stem and its English translation by the first letter, longest stem first. Any ending may follow the
   * stem.
   */
  readonly begins: ReadonlyMap<string, readonly (readonly [string, string])[]>
  /** Two-part entries by their first part. */
  readonly parted: ReadonlyMap<string, readonly TwoPartEntry[]>
}

const PHRASE_MAX_WORDS = 4
/** Maximum length of a two-part entry in a query, in words, from the first part to the second part inclusive. */
const MAX_PART_DISTANCE = 8
/** Negations that follow the words that they exclude. */
const POSTPOSITIONS = new Set(['के बिना', 'के बगैर', 'नहीं'])
const CLAUSE_STARTS = new Set(['und', 'oder', 'aber', 'wenn', 'als', 'wahrend', 'waehrend', 'ohne', 'nachdem', 'bevor'])

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Unifies spellings: expands ligatures, and normalizes Hindi signs that people often omit. */
const unifySpelling = (text: string) =>
  text.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('\u093c', '').replaceAll('\u0901', '\u0902')

/** Returns the usual spellings of a lexicon word: without accents, and with umlauts written as `ae`, `oe`, `ue`. */
const listSpellings = (word: string): string[] => [
  ...new Set(
    [word, word.replace(/[äöü]/g, (sign) => UMLAUTS[sign] ?? sign)].map((spelling) =>
      unifySpelling(foldWord(spelling)),
    ),
  ),
]

const translationTables = new Map<string, TranslationTable>()

function getTable(language: string): TranslationTable {
  const cached = translationTables.get(language)
  if (cached) return cached
  const phrases = new Map<string, string>()
  const stems: (readonly [string, string])[] = []
  const twoPartEntries = new Map<string, TwoPartEntry[]>()
  for (const [english, words] of parseTranslations(TRANSLATIONS[language] ?? [])) {
    for (const spelling of words.flatMap(listSpellings)) {
      const [first = '', second, more] = spelling.split('...').map((part) => part.trim())
      if (second !== undefined)
        twoPartEntries.set(first, [...(twoPartEntries.get(first) ?? []), parseTwoPartEntry(english, second, more)])
      else if (spelling.endsWith('*')) stems.push([spelling.slice(0, -1), english])
      else if (!phrases.has(spelling)) phrases.set(spelling, english)
    }
  }
  const sortedStems = stems.sort(([a], [b]) => b.length - a.length)
  const table = { phrases, begins: Map.groupBy(sortedStems, ([stem]) => stem.charAt(0)), parted: twoPartEntries }
  translationTables.set(language, table)
  return table
}

/**
 * Parses the English side of a two-part entry, such as `neither / nor`: one translation per part. A single translation
 * belongs to the first part.
 */
function parseTwoPartEntry(english: string, second: string, more: string | undefined): TwoPartEntry {
  const [first = '', other = ''] = english.split('/').map((part) => part.trim())
  return { second, english: [first, other], isLast: more === undefined }
}

/**
 * Translation of a query with one lexicon. `known`: number of words that the lexicon contains. `telling`: number of
 * words and phrases that have a meaning.
 */
interface QueryTranslation {
  readonly tokens: readonly Token[]
  readonly known: number
  readonly telling: number
}

/**
 * Translates a query with the lexicon that contains the most of its words, if these are more than the words that
 * `isKnownWord` accepts. If the lexicon and `isKnownWord` both know all words, translates only if the translation has
 * more meaningful words.
 */
export function translateQuery(
  words: readonly string[],
  isKnownWord: (word: string) => boolean,
  isMeaningfulWord: (word: string) => boolean,
): { tokens: readonly Token[]; isForeign: boolean } {
  const tokens = words.map((word): Token => ({ english: word, said: word }))
  const knownTerms = words.filter(isKnownWord)
  let best: QueryTranslation = { tokens, known: knownTerms.length, telling: knownTerms.filter(isMeaningfulWord).length }
  let isForeign = false
  for (const language of Object.keys(TRANSLATIONS)) {
    const translation = translateWithTable(getTable(language), words.map(unifySpelling), words)
    // A single word without meaning, such as German `hat`, is not evidence of another language.
    if (translation.telling === 0 && words.length < 2) continue
    const isTie = translation.known === best.known && translation.known === words.length
    if (translation.known > best.known || (isTie && translation.telling > best.telling))
      [best, isForeign] = [translation, true]
  }
  return { tokens: best.tokens, isForeign }
}

/**
 * Translates the words of a query with one lexicon. `words` are spelled like the lexicon, `originals` like the search
 * index.
 */
function translateWithTable(
  table: TranslationTable,
  words: readonly string[],
  originals: readonly string[],
): QueryTranslation {
  const tokens: Token[] = []
  const secondParts = new Map<number, string>()
  let [knownCount, meaningfulCount] = [0, 0]
  for (let at = 0; at < words.length;) {
    const second = secondParts.get(at)
    const twoPart = second === undefined ? findTwoPartEntry(table, words, at) : undefined
    if (twoPart) secondParts.set(twoPart.at, twoPart.english[1])
    const { length, english } =
      toOneWordTranslation(second ?? twoPart?.english[0]) ?? translateLongestPhrase(table, words, at)
    const phrase = originals.slice(at, at + length).join(' ')
    const token = { english: english ?? phrase, said: phrase }
    if (POSTPOSITIONS.has(phrase)) tokens.splice(Math.max(0, tokens.findLastIndex(isMeaningful)), 0, token)
    else tokens.push(token)
    if (english !== null) knownCount += length
    if (english) meaningfulCount++
    at += length
  }
  return { tokens: moveNegationForward(tokens), known: knownCount, telling: meaningfulCount }
}

const isMeaningful = ({ english }: Token) => english !== ''

const toOneWordTranslation = (english: string | undefined) => (english === undefined ? null : { length: 1, english })

/** Moves a negation at the end, as in `bellt nicht`, before the word that it excludes. */
function moveNegationForward(tokens: Token[]): Token[] {
  const last = tokens.findLastIndex(isMeaningful)
  const before = tokens.slice(0, Math.max(0, last)).findLastIndex(isMeaningful)
  const token = tokens[last]
  if (before < 0 || token?.english !== 'not' || ['not', 'or'].includes(tokens[before]?.english ?? '')) return tokens
  return [...tokens.slice(0, before), token, ...tokens.slice(before, last), ...tokens.slice(last + 1)]
}

function findTwoPartEntry(
  { parted }: TranslationTable,
  words: readonly string[],
  from: number,
): (TwoPartEntry & { at: number }) | undefined {
  for (const entry of parted.get(words[from] ?? '') ?? []) {
    const end = Math.min(words.length, from + MAX_PART_DISTANCE)
    for (let at = from + 1; at < end; at++)
      if (
        words[at] === entry.second &&
        (!entry.isLast || at === words.length - 1 || CLAUSE_STARTS.has(words[at + 1] ?? ''))
      )
        return { ...entry, at }
  }
  return undefined
}

const isStemWithEnding = (phrase: string, begin: string) =>
  phrase.startsWith(begin) && !phrase.includes(' ', begin.length)

function translateLongestPhrase({ phrases, begins }: TranslationTable, words: readonly string[], at: number) {
  for (let length = Math.min(PHRASE_MAX_WORDS, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).join(' ')
    const stems = begins.get(phrase.charAt(0))
    const english = phrases.get(phrase) ?? stems?.find(([stem]) => isStemWithEnding(phrase, stem))?.[1]
    if (english !== undefined) return { length, english }
  }
  return { length: 1, english: null }
}
