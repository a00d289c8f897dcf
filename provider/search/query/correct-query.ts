import type { SqlStorage } from '@cloudflare/workers-types'
import { type Concept, createConcept, isPlainWord } from './concept.ts'
import { isPersonToken } from '../../people/person-token.ts'
import type { NamedPerson } from '../../people/shown-names.ts'
import { includeMergedPeople, insertPersonTokens } from '../named-people.ts'
import { correctTypos, findDisplayWord } from './spelling.ts'
import * as rows from '../index/search-rows.ts'
import { type NamedCamera, type ParsedQuery, parseQuery } from './parse-query.ts'
import { tokenize } from '../../platform/tokenize.ts'

export interface CorrectedQuery extends ParsedQuery {
  /** Spelling corrections: each unknown query word (`asked`) and its replacement (`shown`). */
  readonly instead: readonly { readonly asked: string; readonly shown: string }[]
}

/** Parses a query and corrects its spelling with the vocabulary of this home. `asIs`: true to skip the correction. */
export function parseAndCorrectQuery(
  sql: SqlStorage,
  query: string,
  { cameras, people }: { cameras: readonly NamedCamera[]; people: readonly NamedPerson[] },
  { asIs }: { asIs: boolean },
): CorrectedQuery {
  const isKnown = (word: string) => isPersonToken(word) || rows.hasMatchingEvent(sql, createConcept({ asked: [word] }))
  const parsed = parseQuery(insertPersonTokens(query, people), cameras, isKnown)
  const names = [...cameras, ...people].flatMap(({ name }) => tokenize(name))
  const listVocabulary = (initial: string) => [
    ...names.filter((name) => name.startsWith(initial)),
    ...rows.listIndexedStems(sql, initial),
  ]
  const corrections: { asked: string; shown: string }[] = []
  const correctConcept = (concept: Concept): Concept => {
    if (concept.asked.some(isPersonToken)) return includeMergedPeople(concept, people)
    if (asIs || !isPlainWord(concept) || rows.hasMatchingEvent(sql, concept)) return concept
    for (const correction of correctTypos(concept.asked.at(-1) ?? '', listVocabulary)) {
      const [other] = parseQuery(insertPersonTokens(correction, people), cameras, isPersonToken).concepts
      const correctedConcept = other && includeMergedPeople(other, people)
      if (!correctedConcept || !rows.hasMatchingEvent(sql, correctedConcept)) continue
      const person = people.find(({ tokens }) => tokens[0] === correctedConcept.asked[0])
      corrections.push({ asked: concept.said, shown: person?.name ?? findDisplayWord(correction) })
      return { ...correctedConcept, said: concept.said }
    }
    return concept
  }
  const not = parsed.not.map((concept) => includeMergedPeople(concept, people))
  return { ...parsed, concepts: parsed.concepts.map(correctConcept), not, instead: corrections }
}
