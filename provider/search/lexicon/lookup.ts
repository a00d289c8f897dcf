import { GROUPS, LOCATIONS } from './lexicon.ts'
import type { SynonymGroup } from './parse-lexicon.ts'
import { tokenize } from '../../platform/tokenize.ts'

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ie[sd]$/, 'y'],
  [/([bdgklmnprt])\1(ing|ed)$/, '$1'],
  [/es$/, ''],
  [/s$/, ''],
  [/ing$/, ''],
  [/ing$/, 'e'],
  [/ed$/, ''],
  [/ed$/, 'e'],
]

/** Returns the forms of a word to look up in the lexicon: unchanged, and without plural and verb endings. */
function spellings(word: string): string[] {
  const stems = ENDINGS.flatMap(([end, put]) => (end.test(word) ? [word.replace(end, put)] : []))
  return [word, ...stems.filter((stem) => stem.length > 2)]
}

const byPhrase = new Map<string, SynonymGroup>()
for (const group of GROUPS)
  for (const phrase of [...group.words, ...(group.asks ?? [])]) {
    const phraseKey = tokenize(phrase).join(' ')
    if (!byPhrase.has(phraseKey)) byPhrase.set(phraseKey, group)
  }
for (const [phrase, group] of byPhrase)
  for (const spelling of spellings(phrase)) if (!byPhrase.has(spelling)) byPhrase.set(spelling, group)

export function findGroup(phrase: string): SynonymGroup | undefined {
  for (const spelling of spellings(phrase)) {
    const found = byPhrase.get(spelling)
    if (found) return found
  }
  return undefined
}

/** Returns the single words of the lexicon, including locations. */
export const listLexiconTerms = (): string[] =>
  [...GROUPS.flatMap(({ words, asks = [] }) => [...words, ...asks]), ...LOCATIONS.flat()].filter(
    (phrase) => !phrase.includes(' '),
  )
