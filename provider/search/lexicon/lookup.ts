import { SYNONYM_GROUPS, LOCATION_GROUPS } from './lexicon.ts'
import type { SynonymGroup } from './parse-lexicon.ts'
import { tokenize } from '../../platform/tokenize.ts'

const WORD_ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ie[sd]$/, 'y'],
  [/([bdgklmnprt])\1(ing|ed)$/, '$1'],
  [/es$/, ''],
  [/s$/, ''],
  [/ing$/, ''],
  [/ing$/, 'e'],
  [/ed$/, ''],
  [/ed$/, 'e'],
]

function listLookupForms(word: string): string[] {
  const stems = WORD_ENDINGS.flatMap(([end, put]) => (end.test(word) ? [word.replace(end, put)] : []))
  return [word, ...stems.filter((stem) => stem.length > 2)]
}

const groupsByPhrase = new Map<string, SynonymGroup>()
for (const group of SYNONYM_GROUPS)
  for (const phrase of [...group.words, ...(group.asks ?? [])]) {
    const phraseKey = tokenize(phrase).join(' ')
    if (!groupsByPhrase.has(phraseKey)) groupsByPhrase.set(phraseKey, group)
  }
for (const [phrase, group] of groupsByPhrase)
  for (const spelling of listLookupForms(phrase)) if (!groupsByPhrase.has(spelling)) groupsByPhrase.set(spelling, group)

export function findSynonymGroup(phrase: string): SynonymGroup | undefined {
  const group = groupsByPhrase.get(phrase)
  if (group) return group
  for (const spelling of listLookupForms(phrase)) {
    const found = groupsByPhrase.get(spelling)
    if (found) return found
  }
  return undefined
}

/** Returns the one-word terms of the synonym groups, without their `also` terms, and of the location groups. */
export const listLexiconTerms = (): string[] =>
  [...SYNONYM_GROUPS.flatMap(({ words, asks = [] }) => [...words, ...asks]), ...LOCATION_GROUPS.flat()].filter(
    (phrase) => !phrase.includes(' '),
  )
