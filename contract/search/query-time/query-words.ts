import { buildPhraseMap } from './phrase-tables.ts'
import type { Meaning, Sign } from './phrase-meanings.ts'

/** A word or a clock of a question, and where it stands there; `end` not included. */
export interface Word {
  /** In lower case, Latin letters without accents. */
  readonly text: string
  readonly at: number
  readonly end: number
}

/** A meaning found at a place; `end`: the place behind its words. */
export interface PhraseMatch<T> {
  readonly meaning: T
  readonly end: number
}
type Of<T extends Meaning['is']> = Extract<Meaning, { is: T }>

/** `2026-11-22`, `22.11.`, `11/22/2026`; `14:30`, `14h30`; numbers; words. */
const TOKEN =
  /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4})?|\d{1,2}\/\d{1,2}(?:\/\d{4})?|\d{1,2}[:.h]\d{2}(?!\d)|\d+|[\p{L}\p{M}]+/gu
/** Words of the longest phrase, and of the longest one that goes with the time behind it. */
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

/** A question as one language reads it. */
export class Words {
  readonly all: readonly Word[]
  /** Whether `11/22` is written here for the 22nd of November. */
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

  /** What may stand at a place, the longest phrase first. */
  meanings(place: number): PhraseMatch<Meaning>[] {
    const found: PhraseMatch<Meaning>[] = []
    for (let length = Math.min(PHRASE_MAX, this.all.length - place); length > 0; length--)
      for (const meaning of this.phrases.get(this.phrase(place, length)) ?? [])
        found.push({ meaning, end: place + length })
    return found
  }

  /** The longest phrase of this kind at a place. */
  is<T extends Meaning['is']>(place: number, kind: T): PhraseMatch<Of<T>> | null {
    const found = this.meanings(place).find(({ meaning }) => meaning.is === kind)
    return found ? (found as PhraseMatch<Of<T>>) : null
  }

  /** The place behind a sign; null: none stands here. */
  sign(place: number, sign: Sign): number | null {
    return this.is(place, sign)?.end ?? null
  }

  /** Where a sign begins that ends before a place; null: there is none. */
  signBefore(place: number, sign: Sign): number | null {
    for (let length = Math.min(SIGN_MAX, place); length > 0; length--) {
      const meant = this.phrases.get(this.phrase(place - length, length)) ?? []
      if (meant.some(({ is }) => is === sign)) return place - length
    }
    return null
  }

  /** The place behind words that say nothing: `las 2`, `um 3`. */
  behind(place: number): number {
    return this.sign(place, 'at') ?? place
  }

  /** A number in digits, at most four, or in a word. */
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
