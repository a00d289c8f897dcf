import { buildPhraseMap } from './phrase-tables.ts'
import type { Meaning, Sign } from './phrase-meanings.ts'

/** Token of a query: a word, number, date or clock time, with its character positions. `end` is exclusive. */
export interface Word {
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
type Of<T extends Meaning['is']> = Extract<Meaning, { is: T }>

/** Matches dates (`2026-11-22`, `22.11.`, `11/22/2026`), clock times (`14:30`, `14h30`), numbers and words. */
const TOKEN =
  /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{1,2}\/\d{1,2}(?:\/\d{4})?|\d{1,2}[:.h]\d{2}(?!\d)|\d+|[\p{L}\p{M}]+/gu
/** Maximum number of words in a phrase, and in a phrase that precedes a time, such as `in the`. */
const PHRASE_MAX = 5
const SIGN_MAX = 3

const normal = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

export function tokenizeQuery(question: string): Word[] {
  return [...question.matchAll(TOKEN)].map(({ 0: text, index }) => ({
    ...{ text: normal(text), at: index, end: index + text.length },
  }))
}

const lexicons = new Map<string, ReadonlyMap<string, readonly Meaning[]>>()

function getLexicon(language: string): ReadonlyMap<string, readonly Meaning[]> {
  const lexicon = lexicons.get(language) ?? buildPhraseMap(language)
  lexicons.set(language, lexicon)
  return lexicon
}

/** Words of a query, with their meanings in one language. */
export class Words {
  readonly all: readonly Word[]
  /** True if `11/22` means November 22 in this language. */
  readonly isMonthFirst: boolean
  private readonly phrases: ReadonlyMap<string, readonly Meaning[]>

  constructor(all: readonly Word[], language: string) {
    this.all = all
    this.isMonthFirst = language === 'en'
    this.phrases = getLexicon(language)
  }

  text(place: number): string {
    return this.all[place]?.text ?? ''
  }

  /** Returns all meanings at a position, the longest phrase first. */
  meanings(place: number): PhraseMatch<Meaning>[] {
    const found: PhraseMatch<Meaning>[] = []
    for (let length = Math.min(PHRASE_MAX, this.all.length - place); length > 0; length--)
      for (const meaning of this.phrases.get(this.phrase(place, length)) ?? [])
        found.push({ meaning, end: place + length })
    return found
  }

  /** Returns the longest phrase of this kind at a position. */
  is<T extends Meaning['is']>(place: number, kind: T): PhraseMatch<Of<T>> | null {
    const found = this.meanings(place).find(({ meaning }) => meaning.is === kind)
    return found ? (found as PhraseMatch<Of<T>>) : null
  }

  /** Returns the position after a word of kind `sign`; null: no such word at this position. */
  sign(place: number, sign: Sign): number | null {
    return this.is(place, sign)?.end ?? null
  }

  /** Returns the start of a phrase of kind `sign` that ends right before a position; null: none. */
  signBefore(place: number, sign: Sign): number | null {
    for (let length = Math.min(SIGN_MAX, place); length > 0; length--) {
      const meant = this.phrases.get(this.phrase(place - length, length)) ?? []
      if (meant.some(({ is }) => is === sign)) return place - length
    }
    return null
  }

  /**
   * Returns the position after a word that does not change the meaning of a time, such as `las` in `las 2` or `um` in
   * `um 3`.
   */
  behind(place: number): number {
    return this.sign(place, 'at') ?? place
  }

  /** Reads a number in digits, at most four, or in words. */
  number(place: number): PhraseMatch<number> | null {
    if (/^\d{1,4}$/.test(this.text(place))) return { meaning: Number(this.text(place)), end: place + 1 }
    const named = this.is(place, 'number')
    return named && { meaning: named.meaning.number, end: named.end }
  }

  private phrase(place: number, length: number): string {
    return this.all
      .slice(place, place + length)
      .map(({ text }) => text)
      .join(' ')
  }
}
