import { AS_ASKED, type Concept } from '../query/concept.ts'
import { buildMask } from './match-weights.ts'
import { stemText } from '../query/stemmer.ts'

/** Indexed columns of an event as stored. */
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
  /**
   * Weighted number of occurrences of each phrase, by its index in `phrases`. A title or sentence counts more than a
   * tag.
   */
  readonly hits: ReadonlyMap<number, number>
  readonly length: number
}

type Column = keyof TextRow
/** Weight of a word by column. */
const COLUMNS: readonly (readonly [Column, number])[] = [
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
  readonly times: number
}

function listPhrases({ asked: queryTerms, like, tags, devices }: Concept, concept: number): Phrase[] {
  const made = (words: readonly string[], where: Phrase['in'], times: number) =>
    words.map((word): Phrase => ({ stems: stemText(word), concept, in: where, times }))
  return [
    ...made(devices, 'device_id', 1),
    ...made(queryTerms, 'text', like.length > 0 ? AS_ASKED : 1),
    ...made(like, 'text', 1),
    ...made(tags, 'tags', 1),
  ]
}

/** Occurrence of a phrase in a text. */
interface Spot {
  /** `n`: index of the phrase; `bit`: bit of its concept. */
  readonly n: number
  readonly bit: number
  readonly at: number
  readonly length: number
}

/** Maximum number of words between appearance and thing: `red sports car`, `white and ginger cat`. */
const BETWEEN = 2
/**
 * Maximum number of words between `in` or `with` and the appearance of clothes, and between the wearer and `in`: `a
 * jogger on the path in a light blue top`.
 */
const [WORN, WEARING] = [3, 8]

/**
 * Returns true if an appearance describes a thing: it stands before the thing (`red car`) or directly behind it (`coche
 * rojo`), or names clothes (`jogger in orange`).
 */
function hasLook(stems: readonly string[], look: Spot, thing: Spot): boolean {
  const before = thing.at - (look.at + look.length)
  const behind = look.at - (thing.at + thing.length)
  if (before >= 0 && before <= BETWEEN) return true
  const worn = stems
    .slice(Math.max(0, look.at - WORN), look.at)
    .findLastIndex((word) => word === 'in' || word === 'with')
  if (behind < 0 || worn < 0) return behind === 0
  return Math.max(0, look.at - WORN) + worn - (thing.at + thing.length) <= WEARING
}

const textsIn = (column: Column, row: TextRow): readonly string[] =>
  column === 'moments' ? (JSON.parse(row.moments ?? '[]') as string[]) : [row[column] ?? '']

/** Finds concepts in the texts of events, and scores their relevance. */
export class TextReader {
  private readonly phrases: readonly Phrase[]
  private readonly byFirst: ReadonlyMap<string, readonly number[]>
  /** Bit masks of the concepts for appearances and for things. */
  private readonly looks: number
  private readonly things: number
  /** Sample statistics: number of events with each phrase, number of events, number of words. */
  private readonly counts = new Map<number, number>()
  private events = 0
  private words = 0

  constructor(concepts: readonly Concept[]) {
    this.phrases = concepts.flatMap(listPhrases).filter(({ stems }) => stems.length > 0)
    this.byFirst = Map.groupBy(this.phrases.keys(), (n) => this.phrases[n]?.stems[0] ?? '')
    this.looks = buildMask(concepts, ({ look }) => look)
    this.things = buildMask(concepts, ({ look, setting }) => !look && !setting)
  }

  /** Returns the concepts in an event. Compares words like the index. */
  read(row: TextRow): TextMatch {
    const hits = new Map<number, number>()
    const sentences: number[] = []
    let [mask, length] = [0, 0]
    for (const [column, weight] of COLUMNS)
      for (const text of textsIn(column, row)) {
        const stems = stemText(text)
        const spots = this.spotsIn(stems, column)
        for (const { n } of spots) hits.set(n, (hits.get(n) ?? 0) + weight)
        length += stems.length
        mask |= spots.reduce((union, { bit }) => union | bit, 0)
        if (column === 'title' || column === 'moments') sentences.push(this.saidIn(stems, spots))
      }
    return { mask, sentences, hits, length }
  }

  private spotsIn(stems: readonly string[], column: Column): Spot[] {
    const where = column === 'tags' || column === 'device_id' ? column : 'text'
    const spots: Spot[] = []
    for (const [at, word] of stems.entries())
      for (const n of this.byFirst.get(word) ?? []) {
        const phrase = this.phrases[n]
        if (phrase?.in !== where || !phrase.stems.every((stem, i) => stem === stems[at + i])) continue
        spots.push({ n, bit: 2 ** phrase.concept, at, length: phrase.stems.length })
      }
    return spots
  }

  /** Returns the concept mask of a sentence. Appearances count only if one of them belongs to a thing of the query. */
  private saidIn(stems: readonly string[], spots: readonly Spot[]): number {
    const things = spots.filter(({ bit }) => (bit & this.things) !== 0)
    const looks = spots.filter(({ bit }) => (bit & this.looks) !== 0)
    const isSaid = looks.some((look) => things.some((thing) => hasLook(stems, look, thing)))
    return spots.reduce((union, { bit }) => union | bit, 0) & (isSaid ? -1 : ~this.looks)
  }

  learn({ hits, length }: TextMatch): void {
    this.events += 1
    this.words += length
    for (const n of hits.keys()) this.counts.set(n, (this.counts.get(n) ?? 0) + 1)
  }

  /** Returns the negated BM25 score of the concepts in the mask: smaller is better. */
  rank({ hits, length }: TextMatch, mask: number): number {
    const usual = Math.max(1, this.words / Math.max(1, this.events))
    let sum = 0
    for (const [n, often] of hits) {
      const phrase = this.phrases[n]
      if (!phrase || (mask & (2 ** phrase.concept)) === 0) continue
      const count = this.counts.get(n) ?? 0
      const rarity = Math.max(1e-6, Math.log((this.events - count + 0.5) / (count + 0.5)))
      sum += phrase.times * rarity * ((often * (K1 + 1)) / (often + K1 * (1 - B + (B * length) / usual)))
    }
    return -sum
  }
}
