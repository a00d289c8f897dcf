import { tokenizeWithOffsets, tokenize } from '../platform/tokenize.ts'
import { isPersonToken } from '../people/person-token.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import type { Concept } from './query/concept.ts'
import { STOP_WORDS, NEGATIONS, PERSON_QUESTION_WORDS } from './lexicon/stop-words.ts'
import { findSynonymGroup } from './lexicon/lookup.ts'

/**
 * Returns true if a name consists of ordinary words, such as "Will" or "Rose". The query must then contain the name
 * exactly, including case.
 */
const isOrdinaryText = (words: readonly string[]): boolean =>
  words.every(
    (word) =>
      STOP_WORDS.has(word) ||
      PERSON_QUESTION_WORDS.has(word) ||
      NEGATIONS.has(word) ||
      findSynonymGroup(word) !== undefined,
  )

/** Replaces the names of people in a query by the person tokens that stored texts contain. Tries longer names first. */
export function insertPersonTokens(query: string, people: readonly NamedPerson[]): string {
  const names = people
    .map(({ name, tokens: [token = ''] }) => ({ name, token, words: tokenize(name) }))
    .toSorted((a, b) => b.words.length - a.words.length)
  const byFirst = Map.groupBy(names, ({ words }) => words[0] ?? '')
  const queryTokens = tokenizeWithOffsets(query)
  let [result, copiedTo] = ['', 0]
  for (let at = 0; at < queryTokens.length;) {
    const from = queryTokens[at]?.from ?? 0
    const getSpelling = (length: number) => query.slice(from, queryTokens[at + length - 1]?.to)
    const match = byFirst.get(queryTokens[at]?.word ?? '')?.find(({ name, words }) => {
      const isNamed = words.every((word, i) => queryTokens[at + i]?.word === word)
      return isNamed && (!isOrdinaryText(words) || getSpelling(words.length) === name)
    })
    const length = match?.words.length ?? 1
    if (match) {
      result += query.slice(copiedTo, from) + match.token
      copiedTo = queryTokens[at + length - 1]?.to ?? copiedTo
    }
    at += length
  }
  return result + query.slice(copiedTo)
}

/** Extends a concept that names a person to all people that were merged into this person. */
export function includeMergedPeople(concept: Concept, people: readonly NamedPerson[]): Concept {
  const merged = concept.asked
    .filter(isPersonToken)
    .flatMap((token) => people.find(({ tokens }) => tokens[0] === token)?.tokens ?? [])
  return merged.length === 0 ? concept : { ...concept, asked: [...new Set([...concept.asked, ...merged])] }
}
