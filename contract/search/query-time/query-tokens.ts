import { buildPhraseMap } from './phrase-tables.ts'
import type { TimeMeaning, Qualifier } from './phrase-meanings.ts'

/** Token of a query: a word, number, date or clock time, with its character positions. `end` is exclusive. */
export interface QueryToken {
  /** Lower case, Latin letters without accents. */
  readonly text: string
  readonly at: number
  readonly end: number
}

/** Meaning of the phrase at a position. `end`: the position after the phrase. */
export interface PhraseMatch<T> {
  readonly meaning: T
  readonly end: number
}
type MeaningOfKind<T extends TimeMeaning['is']> = Extract<TimeMeaning, { is: T }>

/** Matches dates (`2026-11-22`, `22.11.`, `11/22/2026`), clock times (`14:30`, `14h30`), numbers and words. */
const TOKEN_PATTERN =
  /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{1,2}\/\d{1,2}(?:\/\d{4})?|\d{1,2}[:.h]\d{2}(?!\d)|\d+|[\p{L}\p{M}]+/gu
/** Maximum number of words in a phrase, and in a qualifier that precedes a time, such as `in the`. */
const PHRASE_WORDS_MAX = 5
const QUALIFIER_WORDS_MAX = 3

const normalizeText = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

export function tokenizeQuery(query: string): QueryToken[] {
  return [...query.matchAll(TOKEN_PATTERN)].map(({ 0: text, index }) => ({
    text: normalizeText(text),
    at: index,
    end: index + text.length,
  }))
}

const lexicons = new Map<string, ReadonlyMap<string, readonly TimeMeaning[]>>()

function getLexicon(language: string): ReadonlyMap<string, readonly TimeMeaning[]> {
  const lexicon = lexicons.get(language) ?? buildPhraseMap(language)
  lexicons.set(language, lexicon)
  return lexicon
}

/** Words of a query, with their meanings in one language. */
export class QueryWords {
  readonly tokens: readonly QueryToken[]
  /** True if `11/12` means November 12 in this language, instead of December 11. */
  readonly isMonthFirst: boolean
  readonly #phrases: ReadonlyMap<string, readonly TimeMeaning[]>
  /** Meanings at each position. The rules for times ask for them several times. */
  readonly #meanings: (readonly PhraseMatch<TimeMeaning>[] | undefined)[] = []

  constructor(tokens: readonly QueryToken[], language: string) {
    this.tokens = tokens
    this.isMonthFirst = language === 'en'
    this.#phrases = getLexicon(language)
  }

  getText(position: number): string {
    return this.tokens[position]?.text ?? ''
  }

  /** Returns all meanings at a position, the longest phrase first. */
  listMeanings(position: number): readonly PhraseMatch<TimeMeaning>[] {
    return (this.#meanings[position] ??= this.#findMeanings(position))
  }

  #findMeanings(position: number): PhraseMatch<TimeMeaning>[] {
    const found: PhraseMatch<TimeMeaning>[] = []
    for (let length = Math.min(PHRASE_WORDS_MAX, this.tokens.length - position); length > 0; length--)
      for (const meaning of this.#phrases.get(this.#joinPhrase(position, length)) ?? [])
        found.push({ meaning, end: position + length })
    return found
  }

  /** Returns the longest phrase of this kind at a position; null if there is none. */
  findPhrase<T extends TimeMeaning['is']>(position: number, kind: T): PhraseMatch<MeaningOfKind<T>> | null {
    const found = this.listMeanings(position).find(({ meaning }) => meaning.is === kind)
    return found ? (found as PhraseMatch<MeaningOfKind<T>>) : null
  }

  /** Returns the position after a qualifier of this kind; null if no such qualifier starts at this position. */
  skipQualifier(position: number, kind: Qualifier): number | null {
    return this.findPhrase(position, kind)?.end ?? null
  }

  /** Returns the start of a qualifier of this kind that ends right before a position; null: none. */
  findQualifierBefore(position: number, kind: Qualifier): number | null {
    for (let length = Math.min(QUALIFIER_WORDS_MAX, position); length > 0; length--) {
      const meanings = this.#phrases.get(this.#joinPhrase(position - length, length)) ?? []
      if (meanings.some(({ is: meaningKind }) => meaningKind === kind)) return position - length
    }
    return null
  }

  /**
   * Returns the position after a word that does not change the meaning of a time, such as `las` in `las 2` or `um` in
   * `um 3`; the same position if there is no such word.
   */
  skipPreposition(position: number): number {
    return this.skipQualifier(position, 'at') ?? position
  }

  /** Parses a number of at most four digits, or a number word. */
  parseNumber(position: number): PhraseMatch<number> | null {
    if (/^\d{1,4}$/.test(this.getText(position))) return { meaning: Number(this.getText(position)), end: position + 1 }
    const named = this.findPhrase(position, 'number')
    return named && { meaning: named.meaning.number, end: named.end }
  }

  #joinPhrase(place: number, length: number): string {
    return this.tokens
      .slice(place, place + length)
      .map(({ text: word }) => word)
      .join(' ')
  }
}
