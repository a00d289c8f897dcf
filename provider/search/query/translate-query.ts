import { TRANSLATIONS } from '../lexicon/lexicon.ts'
import { parseTranslations } from '../lexicon/parse-lexicon.ts'
import { compared } from '../../platform/tokenize.ts'

export interface Token {
  /** English translation; the original words if no lexicon contains them; '' for words without meaning. */
  readonly english: string
  /** Original words, folded like the index. */
  readonly said: string
}

/** Verb or negation in two parts with words between them: `kommt ... an`. */
interface Parted {
  readonly second: string
  readonly english: readonly [first: string, second: string]
  /** True if the second part counts only at the end of a clause; elsewhere, `an` is a preposition. */
  readonly isLast: boolean
}

interface Table {
  readonly phrases: ReadonlyMap<string, string>
  /** Pairs of a word stem with variable endings and its English translation, longest stem first. */
  readonly begins: readonly (readonly [string, string])[]
  /** Two-part entries by their first word. */
  readonly parted: ReadonlyMap<string, readonly Parted[]>
}

const PHRASE_MAX = 4
/** Maximum distance between the parts of a two-part entry, in words. */
const APART_MAX = 8
/** Negations that follow the words they exclude. */
const POSTPOSITIONS = new Set(['के बिना', 'के बगैर', 'नहीं'])
/** Words that start a new clause. */
const ENDS = new Set(['und', 'oder', 'aber', 'wenn', 'als', 'wahrend', 'waehrend', 'ohne', 'nachdem', 'bevor'])

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Unifies spellings: ligatures, and Hindi signs that are often omitted. */
const folded = (text: string) =>
  text.replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('\u093c', '').replaceAll('\u0901', '\u0902')

/** Returns the usual spellings of a lexicon word: with or without accents, and umlauts also with `e`. */
const spelt = (word: string): string[] => [
  ...new Set(
    [word, word.replace(/[äöü]/g, (sign) => UMLAUTS[sign] ?? sign)].map((spelling) => folded(compared(spelling))),
  ),
]

const tables = new Map<string, Table>()

function getTable(language: string): Table {
  const cached = tables.get(language)
  if (cached) return cached
  const phrases = new Map<string, string>()
  const begins: (readonly [string, string])[] = []
  const parted = new Map<string, Parted[]>()
  for (const [english, words] of parseTranslations(TRANSLATIONS[language] ?? [])) {
    for (const spelling of words.flatMap(spelt)) {
      const [first = '', second, more] = spelling.split('...').map((part) => part.trim())
      if (second !== undefined) parted.set(first, [...(parted.get(first) ?? []), parseParted(english, second, more)])
      else if (spelling.endsWith('*')) begins.push([spelling.slice(0, -1), english])
      else if (!phrases.has(spelling)) phrases.set(spelling, english)
    }
  }
  const table = { phrases, begins: begins.sort(([a], [b]) => b.length - a.length), parted }
  tables.set(language, table)
  return table
}

/**
 * Parses the English side of a two-part entry, such as `neither / nor`: one translation per part. A single translation
 * belongs to the first part.
 */
function parseParted(english: string, second: string, more: string | undefined): Parted {
  const [first = '', other = ''] = english.split('/').map((part) => part.trim())
  return { second, english: [first, other], isLast: more === undefined }
}

/**
 * Query as read with one language's lexicon. `known`: number of words that the lexicon contains; `telling`: number of
 * those that have a meaning.
 */
interface Reading {
  readonly tokens: readonly Token[]
  readonly known: number
  readonly telling: number
}

/**
 * Translates a query to English with the lexicon that contains most of its words, if this lexicon contains more of them
 * than English and the home do (`knows`). If both contain all words, the reading with more meaningful words (`tells`)
 * wins. Unknown words stay unchanged.
 */
export function inEnglish(
  words: readonly string[],
  knows: (word: string) => boolean,
  tells: (word: string) => boolean,
): { tokens: readonly Token[]; isForeign: boolean } {
  const tokens = words.map((word): Token => ({ english: word, said: word }))
  const knownTerms = words.filter(knows)
  let best: Reading = { tokens, known: knownTerms.length, telling: knownTerms.filter(tells).length }
  let isForeign = false
  for (const language of Object.keys(TRANSLATIONS)) {
    const read = readWithTable(getTable(language), words.map(folded), words)
    // A single word without meaning (`hat`) is not evidence of another language.
    if (read.telling === 0 && words.length < 2) continue
    const isTie = read.known === best.known && read.known === words.length
    if (read.known > best.known || (isTie && read.telling > best.telling)) [best, isForeign] = [read, true]
  }
  return { tokens: best.tokens, isForeign }
}

/**
 * Translates the words of a query with one lexicon. `words` are folded for the lexicon; `originals` are the same words
 * as the index stores them.
 */
function readWithTable(table: Table, words: readonly string[], originals: readonly string[]): Reading {
  const tokens: Token[] = []
  const seconds = new Map<number, string>()
  let [knownCount, telling] = [0, 0]
  for (let at = 0; at < words.length;) {
    const second = seconds.get(at)
    const apart = second === undefined ? apartAt(table, words, at) : undefined
    if (apart) seconds.set(apart.at, apart.english[1])
    const { length, english } = oneWord(second ?? apart?.english[0]) ?? longest(table, words, at)
    const phrase = originals.slice(at, at + length).join(' ')
    const token = { english: english ?? phrase, said: phrase }
    if (POSTPOSITIONS.has(phrase)) tokens.splice(Math.max(0, tokens.findLastIndex(isTelling)), 0, token)
    else tokens.push(token)
    if (english !== null) knownCount += length
    if (english) telling++
    at += length
  }
  return { tokens: notBefore(tokens), known: knownCount, telling }
}

const isTelling = ({ english }: Token) => english !== ''

const oneWord = (english: string | undefined) => (english === undefined ? null : { length: 1, english })

/** `bellt nicht`: moves a negation at the end before the word that it excludes. */
function notBefore(tokens: Token[]): Token[] {
  const last = tokens.findLastIndex(isTelling)
  const before = tokens.slice(0, Math.max(0, last)).findLastIndex(isTelling)
  const token = tokens[last]
  if (before < 0 || token?.english !== 'not' || ['not', 'or'].includes(tokens[before]?.english ?? '')) return tokens
  return [...tokens.slice(0, before), token, ...tokens.slice(before, last), ...tokens.slice(last + 1)]
}

/**
 * Returns the two-part entry whose first part is at `from`, and the position of its second part; undefined if there is
 * none.
 */
function apartAt({ parted }: Table, words: readonly string[], from: number): (Parted & { at: number }) | undefined {
  for (const entry of parted.get(words[from] ?? '') ?? []) {
    const end = Math.min(words.length, from + APART_MAX)
    for (let at = from + 1; at < end; at++)
      if (words[at] === entry.second && (!entry.isLast || at === words.length - 1 || ENDS.has(words[at + 1] ?? '')))
        return { ...entry, at }
  }
  return undefined
}

/** Returns true if a phrase equals `begin` plus any ending of its last word. */
const isEnding = (phrase: string, begin: string) => phrase.startsWith(begin) && !phrase.includes(' ', begin.length)

function longest({ phrases, begins }: Table, words: readonly string[], at: number) {
  for (let length = Math.min(PHRASE_MAX, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).join(' ')
    const english = phrases.get(phrase) ?? begins.find(([begin]) => isEnding(phrase, begin))?.[1]
    if (english !== undefined) return { length, english }
  }
  return { length: 1, english: null }
}
