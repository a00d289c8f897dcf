import { isToken } from '../people/person-token.ts'
import { wholeWords } from '../people/recognition.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import { wordsOf } from '../base/words-of.ts'
import type { Concept } from './concept.ts'
import { FILLER, NEGATIONS, WHO } from './concepts/filler.ts'
import { groupOf } from './groups.ts'

/** A name that is also an ordinary word, such as "Will" or "Rose": it counts as a name only as it is spelled. */
const isOrdinary = (name: string): boolean =>
  wordsOf(name).every((word) => FILLER.has(word) || WHO.has(word) || NEGATIONS.has(word) || groupOf(word) !== undefined)

/** Replaces the names in a question by the tokens that stored texts have, the longest names first. */
export function withTokens(question: string, people: readonly NamedPerson[]): string {
  let told = question
  for (const { name, tokens } of people.toSorted((a, b) => b.name.length - a.name.length))
    told = told.replace(wholeWords(name, isOrdinary(name) ? 'gu' : 'giu'), tokens[0] ?? '')
  return told
}

/** Returns a concept that finds everyone who was merged into the person that it asks for. */
export function withMerged(concept: Concept, people: readonly NamedPerson[]): Concept {
  const merged = concept.asked
    .filter(isToken)
    .flatMap((token) => people.find(({ tokens }) => tokens[0] === token)?.tokens ?? [])
  return merged.length === 0 ? concept : { ...concept, asked: [...new Set([...concept.asked, ...merged])] }
}
