import type { SqlStorage } from '@cloudflare/workers-types'
import { type Concept, createConcept, isPlain } from './concept.ts'
import { isToken } from '../../people/person-token.ts'
import type { NamedPerson } from '../../people/shown-names.ts'
import { withMerged, withTokens } from '../named-people.ts'
import { correctTypos, wordFor } from './spelling.ts'
import * as rows from '../index/search-rows.ts'
import { type NamedCamera, type ParsedQuery, parseQuery } from './parse-query.ts'
import { tokenize } from '../../platform/tokenize.ts'

export interface CorrectedQuery extends ParsedQuery {
  /** Spelling corrections: each unknown word of the query, and the word of the home that replaces it. */
  readonly instead: readonly { readonly asked: string; readonly shown: string }[]
}

/** Parses a query for this home. `asIs` turns off the spelling correction. */
export function questionIn(
  sql: SqlStorage,
  question: string,
  { cameras, people }: { cameras: readonly NamedCamera[]; people: readonly NamedPerson[] },
  { asIs }: { asIs: boolean },
): CorrectedQuery {
  const isKnown = (word: string) => isToken(word) || rows.isKnown(sql, createConcept({ asked: [word] }))
  const understood = parseQuery(withTokens(question, people), cameras, isKnown)
  const names = [...cameras, ...people].flatMap(({ name }) => tokenize(name))
  const vocabulary = (initial: string) => [
    ...names.filter((name) => name.startsWith(initial)),
    ...rows.vocabulary(sql, initial),
  ]
  const instead: { asked: string; shown: string }[] = []
  const meant = (concept: Concept): Concept => {
    if (concept.asked.some(isToken)) return withMerged(concept, people)
    if (asIs || !isPlain(concept) || rows.isKnown(sql, concept)) return concept
    for (const correction of correctTypos(concept.asked.at(-1) ?? '', vocabulary)) {
      const [other] = parseQuery(withTokens(correction, people), cameras, isToken).concepts
      const meant = other && withMerged(other, people)
      if (!meant || !rows.isKnown(sql, meant)) continue
      const person = people.find(({ tokens }) => tokens[0] === meant.asked[0])
      instead.push({ asked: concept.said, shown: person?.name ?? wordFor(correction) })
      return { ...meant, said: concept.said }
    }
    return concept
  }
  const not = understood.not.map((concept) => withMerged(concept, people))
  return { ...understood, concepts: understood.concepts.map(meant), not, instead }
}
