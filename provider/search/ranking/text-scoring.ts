import { QUERY_WORD_WEIGHT, type Concept } from '../query/concept.ts'
import { buildMask } from './match-weights.ts'
import { stemText, stemWord } from '../query/stemmer.ts'
import { tokenize } from '../../platform/tokenize.ts'

export type TextRow = {
  title: string
  moments: string | null
  labels: string
  tags: string
  device_id: string
  counts: string | null
}

export interface TextMatch {
  /** Bit n is set if the event contains concept n. */
  readonly mask: number
  /** Concept masks of the title and of each sentence. */
  readonly sentences: readonly number[]
  /** Number of occurrences of each phrase, weighted by `COLUMN_WEIGHTS`. The key is the phrase index in `#phrases`. */
  readonly hits: ReadonlyMap<number, number>
  readonly length: number
}

type Column = keyof TextRow
const COLUMN_WEIGHTS: readonly (readonly [Column, number])[] = [
  ['title', 2],
  ['moments', 3],
  ['labels', 1.5],
  ['counts', 1],
  ['tags', 1],
  ['device_id', 1],
]
/** BM25 constants: term frequency saturation, and length normalization. */
const [K1, B] = [1.2, 0.75]

interface Phrase {
  readonly stems: readonly string[]
  readonly concept: number
  readonly in: 'text' | 'tags' | 'device_id'
  readonly weight: number
}

function listPhrases({ asked: queryTerms, like, tags, devices }: Concept, conceptIndex: number): Phrase[] {
  const toPhrases = (words: readonly string[], where: Phrase['in'], weight: number) =>
    words.map((word): Phrase => ({ stems: stemText(word), concept: conceptIndex, in: where, weight: weight }))
  return [
    ...toPhrases(devices, 'device_id', 1),
    ...toPhrases(queryTerms, 'text', like.length > 0 ? QUERY_WORD_WEIGHT : 1),
    ...toPhrases(like, 'text', 1),
    ...toPhrases(tags, 'tags', 1),
  ]
}

interface PhraseOccurrence {
  /** `n`: index of the phrase in `phrases`. `bit`: bit of the phrase's concept. */
  readonly n: number
  readonly bit: number
  readonly at: number
  readonly length: number
}

/** Maximum number of words between an appearance and a thing, as in `red sports car` or `white and ginger cat`. */
const MAX_WORDS_BETWEEN = 2
/**
 * Maximum distance in words from `in` or `with` to the appearance, and maximum number of words between the wearer and
 * `in`. Example: `a jogger on the path in a light blue top`.
 */
const [CLOTHES_WINDOW, WEARER_WINDOW] = [3, 8]

/**
 * Returns true if an appearance describes a thing: at most `MAX_WORDS_BETWEEN` words before it (`red car`), directly
 * after it (`coche rojo`), or as its clothes (`jogger in orange`).
 */
function describesThing(words: readonly string[], look: PhraseOccurrence, thing: PhraseOccurrence): boolean {
  const before = thing.at - (look.at + look.length)
  const behind = look.at - (thing.at + thing.length)
  if (before >= 0 && before <= MAX_WORDS_BETWEEN) return true
  const prepositionIndex = words
    .slice(Math.max(0, look.at - CLOTHES_WINDOW), look.at)
    .map(stemWord)
    .findLastIndex((stem) => stem === 'in' || stem === 'with')
  if (behind < 0 || prepositionIndex < 0) return behind === 0
  return Math.max(0, look.at - CLOTHES_WINDOW) + prepositionIndex - (thing.at + thing.length) <= WEARER_WINDOW
}

const listColumnTexts = (column: Column, row: TextRow): readonly string[] =>
  column === 'moments' ? (JSON.parse(row.moments ?? '[]') as string[]) : [row[column] ?? '']

/** Text of an event as stems. */
interface StemmedText {
  readonly column: Column
  readonly weight: number
  readonly stems: readonly string[]
}
export type StemmedRow = readonly StemmedText[]

/** Returns the texts of an event as stems. */
export const stemRow = (row: TextRow): StemmedRow =>
  COLUMN_WEIGHTS.flatMap(([column, weight]) =>
    listColumnTexts(column, row).map((text) => ({ column, weight, stems: stemText(text) })),
  )

/** Word of a sampled text: the index of its event, and its position in the text. */
export interface WordPosition {
  readonly event: number
  readonly text: StemmedText
  readonly at: number
}

/** Texts of the newest events of a home, with the positions of each stem. */
export interface TextSample {
  readonly texts: readonly StemmedRow[]
  readonly positions: ReadonlyMap<string, readonly WordPosition[]>
  readonly wordCount: number
}

const isPhraseAt = ({ stems }: Phrase, words: readonly string[], at: number): boolean =>
  stems.every((stem, i) => i === 0 || stem === stemWord(words[at + i] ?? ''))

const getPlace = (column: Column): Phrase['in'] => (column === 'tags' || column === 'device_id' ? column : 'text')

const NO_PHRASES: readonly number[] = []

/** Concepts in one text of an event. */
interface TextOccurrences {
  /** Indexes of the phrases that occur, once per occurrence. */
  readonly phrases: readonly number[]
  readonly sentenceMask: number
  readonly length: number
}

/** Finds concepts in the texts of events, and scores their relevance. */
export class TextScorer {
  readonly #phrases: readonly Phrase[]
  readonly #phrasesByFirstStem: ReadonlyMap<string, readonly number[]>
  /** Phrases by their first word, with all words that were read so far. Saves stemming each word again. */
  readonly #phrasesByWord = new Map<string, readonly number[]>()
  /** Occurrences in texts that many events share, such as titles and tags, by column and text. */
  readonly #sharedTexts = new Map<Column, Map<string, TextOccurrences>>()
  readonly #conceptCount: number
  readonly #appearanceMask: number
  readonly #thingMask: number
  /** Statistics of the sampled events: number of events with each phrase, number of events, number of words. */
  readonly #eventCounts = new Map<number, number>()
  #eventCount = 0
  #wordCount = 0

  constructor(concepts: readonly Concept[]) {
    this.#conceptCount = concepts.length
    this.#phrases = concepts.flatMap(listPhrases).filter(({ stems }) => stems.length > 0)
    this.#phrasesByFirstStem = Map.groupBy(this.#phrases.keys(), (n) => this.#phrases[n]?.stems[0] ?? '')
    this.#appearanceMask = buildMask(concepts, ({ look }) => look)
    this.#thingMask = buildMask(concepts, ({ look, setting }) => !look && !setting)
  }

  /** Finds the concepts in the texts of an event. Compares words like the search index. */
  matchRow(row: TextRow): TextMatch {
    const hits = new Map<number, number>()
    const sentences: number[] = []
    let [mask, length] = [0, 0]
    for (const [column, weight] of COLUMN_WEIGHTS)
      for (const text of listColumnTexts(column, row)) {
        const found = column === 'moments' ? this.#matchText(text, column) : this.#matchSharedText(text, column)
        for (const n of found.phrases) {
          hits.set(n, (hits.get(n) ?? 0) + weight)
          mask |= 2 ** (this.#phrases[n]?.concept ?? 0)
        }
        length += found.length
        if (column === 'title' || column === 'moments') sentences.push(found.sentenceMask)
      }
    return { mask, sentences, hits, length }
  }

  #matchSharedText(text: string, column: Column): TextOccurrences {
    const texts = this.#sharedTexts.get(column) ?? new Map<string, TextOccurrences>()
    this.#sharedTexts.set(column, texts)
    const found = texts.get(text) ?? this.#matchText(text, column)
    texts.set(text, found)
    return found
  }

  #matchText(text: string, column: Column): TextOccurrences {
    const words = tokenize(text)
    const occurrences = this.#findOccurrences(words, column)
    return {
      phrases: occurrences.map(({ n }) => n),
      sentenceMask: this.#getSentenceMask(words, occurrences),
      length: words.length,
    }
  }

  #findOccurrences(words: readonly string[], column: Column): PhraseOccurrence[] {
    const where = getPlace(column)
    const occurrences: PhraseOccurrence[] = []
    for (const [at, word] of words.entries())
      for (const n of this.#listPhrases(word)) {
        const phrase = this.#phrases[n]
        if (phrase?.in !== where || !isPhraseAt(phrase, words, at)) continue
        occurrences.push({ n, bit: 2 ** phrase.concept, at, length: phrase.stems.length })
      }
    return occurrences
  }

  /** Returns the indexes of the phrases whose first word has the same stem. */
  #listPhrases(word: string): readonly number[] {
    const cached = this.#phrasesByWord.get(word)
    if (cached) return cached
    const phrases = this.#phrasesByFirstStem.get(stemWord(word)) ?? NO_PHRASES
    this.#phrasesByWord.set(word, phrases)
    return phrases
  }

  /**
   * Returns the concept mask of a sentence. The mask includes appearances only if at least one appearance describes a
   * thing of the query.
   */
  #getSentenceMask(words: readonly string[], occurrences: readonly PhraseOccurrence[]): number {
    const mask = occurrences.reduce((union, { bit }) => union | bit, 0)
    if ((mask & this.#appearanceMask) === 0) return mask
    const things = occurrences.filter(({ bit }) => (bit & this.#thingMask) !== 0)
    const appearances = occurrences.filter(({ bit }) => (bit & this.#appearanceMask) !== 0)
    const hasDescribedThing = appearances.some((look) => things.some((thing) => describesThing(words, look, thing)))
    return hasDescribedThing ? mask : mask & ~this.#appearanceMask
  }

  /**
   * Adds a sample of events to the phrase statistics. Returns for each concept the number of sampled events that contain
   * it.
   */
  addSample({ texts, positions, wordCount }: TextSample): number[] {
    this.#eventCount += texts.length
    this.#wordCount += wordCount
    const eventsByConcept = Array.from({ length: this.#conceptCount }, () => new Set<number>())
    for (const [n, { stems, in: where, concept }] of this.#phrases.entries()) {
      let [eventCount, lastEvent] = [0, -1]
      // The positions of an event are adjacent.
      for (const { event, text, at } of positions.get(stems[0] ?? '') ?? []) {
        if (event === lastEvent || getPlace(text.column) !== where) continue
        if (!stems.every((stem, i) => i === 0 || stem === text.stems[at + i])) continue
        lastEvent = event
        eventCount += 1
        eventsByConcept[concept]?.add(event)
      }
      this.#eventCounts.set(n, (this.#eventCounts.get(n) ?? 0) + eventCount)
    }
    return eventsByConcept.map(({ size }) => size)
  }

  /** Returns the negated BM25 score of the concepts in the mask. Smaller is better. */
  computeScore({ hits, length }: TextMatch, mask: number): number {
    const averageLength = Math.max(1, this.#wordCount / Math.max(1, this.#eventCount))
    let sum = 0
    for (const [n, frequency] of hits) {
      const phrase = this.#phrases[n]
      if (!phrase || (mask & (2 ** phrase.concept)) === 0) continue
      const count = this.#eventCounts.get(n) ?? 0
      const rarity = Math.max(1e-6, Math.log((this.#eventCount - count + 0.5) / (count + 0.5)))
      sum +=
        phrase.weight * rarity * ((frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / averageLength)))
    }
    return -sum
  }
}
