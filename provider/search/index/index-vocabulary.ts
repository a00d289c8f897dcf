import type { SqlStorage } from '@cloudflare/workers-types'
import { tokenize } from '../../platform/tokenize.ts'
import type { Concept } from '../query/concept.ts'

/** Words and phrases of several words that were looked up in the index of a home. */
interface Vocabulary {
  /** Value of SQLite's `total_changes()` when the absent terms were looked up. */
  changes: number
  readonly absent: Set<string>
  readonly present: Set<string>
}

/** Maximum number of remembered terms per home. More than all words and phrases of the lexicon. */
const VOCABULARY_MAX = 20_000
const vocabularies = new WeakMap<SqlStorage, Vocabulary>()

/**
 * Removes the words and phrases with a word that no event of the home contains. Most synonyms of a word occur in no
 * event, but cost a seek in each segment of the index. Looks a word up again only if the database has changed since.
 */
export function limitToVocabulary(sql: SqlStorage, concepts: readonly Concept[]): Concept[] {
  const words = new Set(concepts.flatMap(listPhraseTokens).flat())
  const absent = findAbsentTerms(sql, words)
  return filterPhrases(concepts, (tokens) => !tokens.some((word) => absent.has(word)))
}

/**
 * Removes the phrases of several words that no event of the home contains. The index would look for such a phrase in
 * all events that contain its words, in each slice of a scan.
 */
export function removeAbsentPhrases(sql: SqlStorage, concepts: readonly Concept[]): Concept[] {
  const phrases = concepts.flatMap(listPhraseTokens).filter(({ length }) => length > 1)
  const absent = findAbsentTerms(sql, new Set(phrases.map(joinTokens)))
  return filterPhrases(concepts, (tokens) => !absent.has(joinTokens(tokens)))
}

const joinTokens = (tokens: readonly string[]) => tokens.join(' ')

const listPhraseTokens = ({ asked: queryTerms, like }: Concept): string[][] => [...queryTerms, ...like].map(tokenize)

const filterPhrases = (concepts: readonly Concept[], isKept: (tokens: readonly string[]) => boolean): Concept[] =>
  concepts.map((concept) => ({
    ...concept,
    asked: concept.asked.filter((phrase) => isKept(tokenize(phrase))),
    like: concept.like.filter((phrase) => isKept(tokenize(phrase))),
  }))

/** Returns terms that no event contains, including terms of earlier calls. A deleted term may count as present. */
function findAbsentTerms(sql: SqlStorage, terms: ReadonlySet<string>): ReadonlySet<string> {
  const vocabulary = readVocabulary(sql)
  const { absent, present } = vocabulary
  const unknown = [...terms].filter((term) => !absent.has(term) && !present.has(term))
  if (unknown.length === 0) return absent
  const found = new Set(findIndexedTerms(sql, unknown))
  for (const term of unknown) (found.has(term) ? present : absent).add(term)
  if (absent.size + present.size > VOCABULARY_MAX) vocabularies.delete(sql)
  return absent
}

function readVocabulary(sql: SqlStorage): Vocabulary {
  const { changes } = sql.exec<{ changes: number }>('SELECT total_changes() AS changes').one()
  const vocabulary = vocabularies.get(sql) ?? { changes, absent: new Set(), present: new Set() }
  if (vocabulary.changes !== changes) vocabulary.absent.clear()
  vocabulary.changes = changes
  vocabularies.set(sql, vocabulary)
  return vocabulary
}

const findIndexedTerms = (sql: SqlStorage, terms: readonly string[]): string[] =>
  sql
    .exec<{ term: string }>(
      `SELECT value AS term FROM json_each(?) AS terms
       WHERE EXISTS (SELECT 1 FROM search_index WHERE search_index MATCH '"' || terms.value || '"')`,
      JSON.stringify(terms),
    )
    .toArray()
    .map(({ term }) => term)
