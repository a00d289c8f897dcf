import { tokenizeWithOffsets, tokenize } from '../platform/tokenize.ts'
import { isToken } from '../people/person-token.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import type { Concept } from './query/concept.ts'
import { FILLER, NEGATIONS, WHO } from './lexicon/stop-words.ts'
import { findGroup } from './lexicon/lookup.ts'

/** Returns true if a name consists of ordinary words, such as "Will" or "Rose". Such a name must be spelled exactly. */
const isOrdinary = (words: readonly string[]): boolean =>
  words.every((word) => FILLER.has(word) || WHO.has(word) || NEGATIONS.has(word) || findGroup(word) !== undefined)

/** Replaces people's names in a query by the person tokens that stored texts contain, longest names first. */
export function withTokens(question: string, people: readonly NamedPerson[]): string {
  const names = people
    .map(({ name, tokens: [token = ''] }) => ({ name, token, words: tokenize(name) }))
    .toSorted((a, b) => b.words.length - a.words.length)
  const byFirst = Map.groupBy(names, ({ words }) => words[0] ?? '')
  const queryTokens = tokenizeWithOffsets(question)
  let [result, done] = ['', 0]
  for (let at = 0; at < queryTokens.length;) {
    const from = queryTokens[at]?.from ?? 0
    const spelled = (length: number) => question.slice(from, queryTokens[at + length - 1]?.to)
    const named = byFirst.get(queryTokens[at]?.word ?? '')?.find(({ name, words }) => {
      const isSaid = words.every((word, i) => queryTokens[at + i]?.word === word)
      return isSaid && (!isOrdinary(words) || spelled(words.length) === name)
    })
    const length = named?.words.length ?? 1
    if (named) {
      result += question.slice(done, from) + named.token
      done = queryTokens[at + length - 1]?.to ?? done
    }
    at += length
  }
  return result + question.slice(done)
}

/** Extends a concept that names a person to everyone who was merged into that person. */
export function withMerged(concept: Concept, people: readonly NamedPerson[]): Concept {
  const merged = concept.asked
    .filter(isToken)
    .flatMap((token) => people.find(({ tokens }) => tokens[0] === token)?.tokens ?? [])
  return merged.length === 0 ? concept : { ...concept, asked: [...new Set([...concept.asked, ...merged])] }
}
