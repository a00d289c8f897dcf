import { stemText } from './stemmer.ts'
import { tokenize } from '../../platform/tokenize.ts'

/**
 * One term of a query, such as a thing, time or location. An event matches if it contains at least one of the words,
 * phrases or tags, or is from one of the cameras.
 */
export interface Concept {
  /** Words for the thing as typed in the query; empty if the concept does not come from a query. */
  readonly said: string
  /**
   * `asked`: words of the query and their English translation. `like`: synonyms and narrower terms. The index compares
   * stems of both.
   */
  readonly asked: readonly string[]
  readonly like: readonly string[]
  readonly tags: readonly string[]
  readonly devices: readonly string[]
  /** True for a time or location; see `SynonymGroup`. */
  readonly setting: boolean
  /** True for a manner of moving, handling or wearing; see `SynonymGroup`. */
  readonly loose: boolean
  /** True for the appearance of a thing; see `SynonymGroup`. */
  readonly look: boolean
}

const EMPTY_CONCEPT: Concept = {
  said: '',
  asked: [],
  like: [],
  tags: [],
  devices: [],
  setting: false,
  loose: false,
  look: false,
}

export const createConcept = (parts: Partial<Concept>): Concept => ({ ...EMPTY_CONCEPT, ...parts })

/**
 * Removes phrases that find no additional events: phrases with the same stems as an earlier phrase, and phrases of
 * several words that contain a single-word entry of the list.
 */
export function removeRedundantPhrases(phrases: readonly string[]): string[] {
  const byStems = new Map(phrases.map((phrase) => [stemText(phrase).join(' '), phrase]).reverse() as [string, string][])
  const isImplied = (stems: string) => stems.includes(' ') && stems.split(' ').some((stem) => byStems.has(stem))
  const distinctPhrases = new Set([...byStems].flatMap(([stems, phrase]) => (isImplied(stems) ? [] : [phrase])))
  return phrases.filter((phrase) => distinctPhrases.has(phrase))
}

/** Returns a concept that matches if either of the two concepts matches. */
export function mergeConcepts(a: Concept, b: Concept): Concept {
  const union = (x: readonly string[], y: readonly string[]) => [...new Set([...x, ...y])]
  const queryTerms = union(a.asked, b.asked)
  return {
    said: `${a.said} or ${b.said}`,
    asked: queryTerms,
    like: union(a.like, b.like).filter((word) => !queryTerms.includes(word)),
    tags: union(a.tags, b.tags),
    devices: union(a.devices, b.devices),
    setting: a.setting && b.setting,
    loose: a.loose && b.loose,
    look: a.look && b.look,
  }
}

/** Returns true if a concept is a word without synonyms, tags or cameras. */
export const isPlainWord = ({ like, tags, devices }: Concept) => like.length + tags.length + devices.length === 0

/** Quotes a phrase for FTS5, so that FTS5 does not interpret it as query syntax. */
const quotePhrase = (phrase: string) => `"${tokenize(phrase).join(' ')}"`
const toOrQuery = (phrases: readonly string[]) => `(${phrases.map(quotePhrase).join(' OR ')})`

export const toColumnQuery = (column: 'tags' | 'device_id', words: readonly string[]) =>
  `${column} : ${toOrQuery(words)}`

/** Weight of the query's own words if they have synonyms. The synonyms have weight 1. */
export const QUERY_WORD_WEIGHT = 2

export function toMatchQuery({ asked: queryTerms, like, tags, devices }: Concept): string {
  const words = devices.length > 0 && queryTerms.length + like.length === 0 ? [] : [...queryTerms, ...like]
  return [
    ...(words.length > 0 ? [`({title moments labels counts} : ${toOrQuery(words)})`] : []),
    ...(tags.length > 0 ? [`(${toColumnQuery('tags', tags)})`] : []),
    ...(devices.length > 0 ? [`(${toColumnQuery('device_id', devices)})`] : []),
  ].join(' OR ')
}

const isSingleWord = (phrase: string) => tokenize(phrase).length < 2

/**
 * Returns the concept without phrases of several words. Phrases are expensive, because the index scans all events of
 * each of their words.
 */
export const removePhrases = (concept: Concept): Concept => ({
  ...concept,
  asked: concept.asked.filter(isSingleWord),
  like: concept.like.filter(isSingleWord),
})

export const countPhrases = ({ asked: queryTerms, like }: Concept): number =>
  [...queryTerms, ...like].filter((phrase) => !isSingleWord(phrase)).length
