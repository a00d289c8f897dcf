import type { SqlStorage } from '@cloudflare/workers-types'
import { tokenize } from '../../platform/tokenize.ts'
import type { Concept } from '../query/concept.ts'

interface Vocabulary {
  /** Value of SQLite's `total_changes()` when the absent words were looked up. */
  readonly changes: number
  readonly absent: ReadonlySet<string>
  readonly present: ReadonlySet<string>
}

/** Maximum number of remembered words per home. More than all words of the lexicon. */
const VOCABULARY_MAX = 20_000
const vocabularies = new WeakMap<SqlStorage, Vocabulary>()

/**
 * Removes the words and phrases that no event of the home contains. Most synonyms of a word occur in no event, but cost
 * a seek in each segment of the index. Looks a word up again only if the database has changed since.
 */
export function limitToVocabulary(sql: SqlStorage, concepts: readonly Concept[]): Concept[] {
  const words = new Set(concepts.flatMap((concept) => [...concept.asked, ...concept.like].flatMap(tokenize)))
  const absent = findMissingTerms(sql, words)
  if (absent.size === 0) return [...concepts]
  const isPresent = (phrase: string) => !tokenize(phrase).some((word) => absent.has(word))
  return concepts.map((concept) => ({
    ...concept,
    asked: concept.asked.filter(isPresent),
    like: concept.like.filter(isPresent),
  }))
}

/** Returns words that no event contains, including words of earlier calls. A deleted word may count as present. */
function findMissingTerms(sql: SqlStorage, words: ReadonlySet<string>): ReadonlySet<string> {
  const { changes } = sql.exec<{ changes: number }>('SELECT total_changes() AS changes').one()
  const cached = vocabularies.get(sql)
  const absent = new Set(cached?.changes === changes ? cached.absent : [])
  const present = new Set(cached?.present)
  const unknown = [...words].filter((word) => !absent.has(word) && !present.has(word))
  if (unknown.length === 0) return absent
  const found = new Set(findIndexedTerms(sql, unknown))
  for (const word of unknown) (found.has(word) ? present : absent).add(word)
  if (absent.size + present.size > VOCABULARY_MAX) vocabularies.delete(sql)
  else vocabularies.set(sql, { changes, absent, present })
  return absent
}

const findIndexedTerms = (sql: SqlStorage, words: readonly string[]): string[] =>
  sql
    .exec<{ word: string }>(
      `SELECT value AS word FROM json_each(?) AS words
       WHERE EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH '"' || words.value || '"')`,
      JSON.stringify(words),
    )
    .toArray()
    .map(({ word }) => word)
