import type { SqlStorage } from '@cloudflare/workers-types'
import { type Concept, conceptOf, isPlain } from './concept.ts'
import { slipsOf, wordFor } from './repair.ts'
import * as rows from './search-rows.ts'
import { type NamedCamera, type Understood, understand } from './understand.ts'
import { wordsOf } from '../base/words-of.ts'

/** What a home understands of a question. */
export interface Question extends Understood {
  /** Words that nothing says, and the words of the home that are looked for instead. */
  readonly instead: readonly { readonly asked: string; readonly shown: string }[]
}

/** The question as this home understands it. `asIs`: no word is taken for a slip of another. */
export function questionIn(
  sql: SqlStorage,
  question: string,
  cameras: readonly NamedCamera[],
  { asIs }: { asIs: boolean },
): Question {
  const understood = understand(question, cameras, (word) => rows.isKnown(sql, conceptOf({ asked: [word] })))
  const names = cameras.flatMap(({ name }) => wordsOf(name))
  const vocabulary = (initial: string) => [
    ...names.filter((name) => name.startsWith(initial)),
    ...rows.vocabulary(sql, initial),
  ]
  const instead: { asked: string; shown: string }[] = []
  const meant = (concept: Concept): Concept => {
    if (asIs || !isPlain(concept) || rows.isKnown(sql, concept)) return concept
    for (const shown of slipsOf(concept.asked.at(-1) ?? '', vocabulary)) {
      const [other] = understand(shown, cameras).concepts
      if (!other || !rows.isKnown(sql, other)) continue
      instead.push({ asked: concept.said, shown: wordFor(shown) })
      return { ...other, said: concept.said }
    }
    return concept
  }
  return { ...understood, concepts: understood.concepts.map(meant), instead }
}
