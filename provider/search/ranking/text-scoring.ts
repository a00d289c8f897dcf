import { AS_ASKED, type Concept } from '../query/concept.ts'
import { buildMask } from './match-weights.ts'
import { stemText } from '../query/stemmer.ts'

/** The searched columns of an event as they are stored. */
export type TextRow = {
  title: string
  moments: string | null
  labels: string
  tags: string
  device_id: string
  counts: string | null
}

/** What of a question one event has. */
export interface TextMatch {
  /** Bit n: it has concept n. */
  readonly mask: number
  /** The same of its title and of each of its sentences. */
  readonly sentences: readonly number[]
  /** How often it has each phrase, places in `phrases`, a title or a sentence counting more than a tag. */
  readonly hits: ReadonlyMap<number, number>
  /** Number of its words. */
  readonly length: number
}

type Column = keyof TextRow
/** Where a word stands counts that much. */
const COLUMNS: readonly (readonly [Column, number])[] = [
  ['title', 2],
  ['moments', 3],
  ['labels', 1.5],
  ['counts', 1],
  ['tags', 1],
  ['device_id', 1],
]
/** Constants of BM25: how soon a word that is repeated counts no more, and how much long texts are held back. */
const [K1, B] = [1.2, 0.75]

interface Phrase {
  readonly stems: readonly string[]
  readonly concept: number
  readonly in: 'text' | 'tags' | 'device_id'
  /** How many times it counts. */
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

/** A place of a text where a phrase stands. */
interface Spot {
  /** Which phrase, and the bit of its concept. */
  readonly n: number
  readonly bit: number
  readonly at: number
  readonly length: number
}

/** Words that may stand between what something looks like and the thing: `red sports car`, `white and ginger cat`. */
const BETWEEN = 2
/** Words between `in` or `with` and what is worn looks like, and before it to who wears it: `a jogger on the path in a light blue top`. */
const [WORN, WEARING] = [3, 8]

/** Whether a look is said of a thing: before it (`red car`), right behind it (`coche rojo`), or of what is worn (`jogger in orange`). */
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

/** The texts of a column: its sentences, or all of it. */
const textsIn = (column: Column, row: TextRow): readonly string[] =>
  column === 'moments' ? (JSON.parse(row.moments ?? '[]') as string[]) : [row[column] ?? '']

/** Reads events for these concepts, and tells how well the words of one match. */
export class TextReader {
  private readonly phrases: readonly Phrase[]
  private readonly byFirst: ReadonlyMap<string, readonly number[]>
  /** Bits of the concepts that say what something looks like, and of what there is. */
  private readonly looks: number
  private readonly things: number
  /** In how many of the events of the sample each phrase is, and how long those are. */
  private readonly counts = new Map<number, number>()
  private events = 0
  private words = 0

  constructor(concepts: readonly Concept[]) {
    this.phrases = concepts.flatMap(listPhrases).filter(({ stems }) => stems.length > 0)
    this.byFirst = Map.groupBy(this.phrases.keys(), (n) => this.phrases[n]?.stems[0] ?? '')
    this.looks = buildMask(concepts, ({ look }) => look)
    this.things = buildMask(concepts, ({ look, setting }) => !look && !setting)
  }

  /** What the event has of the concepts, by the same words as the index. */
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

  /** Where a text has which phrase. */
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

  /** What of the concepts a sentence says; what something looks like only where one such word is said of something that is asked for. */
  private saidIn(stems: readonly string[], spots: readonly Spot[]): number {
    const things = spots.filter(({ bit }) => (bit & this.things) !== 0)
    const looks = spots.filter(({ bit }) => (bit & this.looks) !== 0)
    const isSaid = looks.some((look) => things.some((thing) => hasLook(stems, look, thing)))
    return spots.reduce((union, { bit }) => union | bit, 0) & (isSaid ? -1 : ~this.looks)
  }

  /** Learns from an event of a sample how common the phrases are, and how long texts. */
  learn({ hits, length }: TextMatch): void {
    this.events += 1
    this.words += length
    for (const n of hits.keys()) this.counts.set(n, (this.counts.get(n) ?? 0) + 1)
  }

  /** BM25 of the concepts that the mask names: the smaller, the better. */
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
