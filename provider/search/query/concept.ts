import { stemText } from './stemmer.ts'
import { tokenize } from '../../platform/tokenize.ts'

/** One thing that a question asks for. Something matches it when any of its parts does. */
export interface Concept {
  /** Its words as they stand in the question; '' where a program asks. */
  readonly said: string
  /** The words as they were asked, and the phrases that mean the same; the index compares their stems. */
  readonly asked: readonly string[]
  readonly like: readonly string[]
  readonly tags: readonly string[]
  readonly devices: readonly string[]
  /** Says where or when; see `Group`. */
  readonly setting: boolean
  /** Says how something moves, is handled or worn; see `Group`. */
  readonly loose: boolean
  /** Says what something looks like; see `Group`. */
  readonly look: boolean
}

const NOTHING: Concept = {
  said: '',
  asked: [],
  like: [],
  tags: [],
  devices: [],
  setting: false,
  loose: false,
  look: false,
}

export const createConcept = (parts: Partial<Concept>): Concept => ({ ...NOTHING, ...parts })

/** The phrases that the index tells apart, without those of several words that have one of them in them, which find nothing more. */
export function distinct(phrases: readonly string[]): string[] {
  const byStems = new Map(phrases.map((phrase) => [stemText(phrase).join(' '), phrase]).reverse() as [string, string][])
  const isImplied = (stems: string) => stems.includes(' ') && stems.split(' ').some((stem) => byStems.has(stem))
  const distinctPhrases = new Set([...byStems].flatMap(([stems, phrase]) => (isImplied(stems) ? [] : [phrase])))
  return phrases.filter((phrase) => distinctPhrases.has(phrase))
}

/** What means any of two. */
export function mergeConcepts(a: Concept, b: Concept): Concept {
  const both = (x: readonly string[], y: readonly string[]) => [...new Set([...x, ...y])]
  const queryTerms = both(a.asked, b.asked)
  return {
    said: `${a.said} or ${b.said}`,
    asked: queryTerms,
    like: both(a.like, b.like).filter((word) => !queryTerms.includes(word)),
    tags: both(a.tags, b.tags),
    devices: both(a.devices, b.devices),
    setting: a.setting && b.setting,
    loose: a.loose && b.loose,
    look: a.look && b.look,
  }
}

/** Whether a concept is a word that means nothing but itself. */
export const isPlain = ({ like, tags, devices }: Concept) => like.length + tags.length + devices.length === 0

/** Each word in quotation marks, where it means only itself: nothing of a query is ever read as syntax of the index. */
const quoted = (phrase: string) => `"${tokenize(phrase).join(' ')}"`
const toOrQuery = (phrases: readonly string[]) => `(${phrases.map(quoted).join(' OR ')})`

/** The question for the index whether a column has any of the words. */
export const toColumnQuery = (column: 'tags' | 'device_id', words: readonly string[]) =>
  `${column} : ${toOrQuery(words)}`

/** How many times a word that was asked for counts as much as one that means the same. */
export const AS_ASKED = 2

/** The question for the index that a concept is. */
export function toMatchQuery({ asked: queryTerms, like, tags, devices }: Concept): string {
  const words = devices.length > 0 && queryTerms.length + like.length === 0 ? [] : [...queryTerms, ...like]
  return [
    ...(words.length > 0 ? [`({title moments labels counts} : ${toOrQuery(words)})`] : []),
    ...(tags.length > 0 ? [`(${toColumnQuery('tags', tags)})`] : []),
    ...(devices.length > 0 ? [`(${toColumnQuery('device_id', devices)})`] : []),
  ].join(' OR ')
}

const isWord = (phrase: string) => tokenize(phrase).length < 2

/** The concept without its phrases of several words, for which the index has to look through all that have each of the words. */
export const withoutPhrases = (concept: Concept): Concept => ({
  ...concept,
  asked: concept.asked.filter(isWord),
  like: concept.like.filter(isWord),
})

/** How many phrases of several words the concept has. */
export const phrasesIn = ({ asked: queryTerms, like }: Concept): number =>
  [...queryTerms, ...like].filter((phrase) => !isWord(phrase)).length
