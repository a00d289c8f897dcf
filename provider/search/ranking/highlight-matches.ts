import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import type { Concept } from '../query/concept.ts'
import { stemWord, stemText } from '../query/stemmer.ts'
import { tokenizeWithOffsets } from '../../platform/tokenize.ts'

type HighlightParts = SearchMatch['why']
interface HighlightedText {
  readonly text: string
  /** Words that match a concept, in order. */
  readonly hits: readonly TextRange[]
  readonly conceptIndexes: ReadonlySet<number>
}

/** Phrases of a concept as stems, by their first stem. */
type Phrases = ReadonlyMap<string, readonly string[][]>
const phraseCache = new WeakMap<Concept, Phrases>()

function getPhrases(concept: Concept): Phrases {
  const cached = phraseCache.get(concept)
  if (cached) return cached
  const phrases = Map.groupBy([...concept.asked, ...concept.like].map(stemText), ([first = '']) => first)
  phraseCache.set(concept, phrases)
  return phrases
}

/** Phrase of the concept at `place`, as stems. */
interface ConceptPhrase {
  readonly place: number
  readonly stems: readonly string[]
}

/** Phrases of several concepts by their first word, with all words that were read so far. */
const wordCache = new WeakMap<readonly Concept[], Map<string, readonly ConceptPhrase[]>>()

function getPhrasesByWord(concepts: readonly Concept[]): Map<string, readonly ConceptPhrase[]> {
  const phrasesByWord = wordCache.get(concepts) ?? new Map<string, readonly ConceptPhrase[]>()
  wordCache.set(concepts, phrasesByWord)
  return phrasesByWord
}

const findConceptPhrases = (concepts: readonly Concept[], word: string): ConceptPhrase[] =>
  concepts.flatMap((concept, place) =>
    (getPhrases(concept).get(stemWord(word)) ?? []).map((stems): ConceptPhrase => ({ place, stems })),
  )

/** Highlights the words of a text that match concepts. Compares stems, like the search index. */
export function highlightMatches(text: string, concepts: readonly Concept[]): HighlightedText {
  const words = tokenizeWithOffsets(text)
  const phrasesByWord = getPhrasesByWord(concepts)
  const hitWords = new Set<number>()
  const conceptIndexes = new Set<number>()
  for (const [at, { word }] of words.entries()) {
    const phrases = phrasesByWord.get(word) ?? findConceptPhrases(concepts, word)
    phrasesByWord.set(word, phrases)
    for (const { place, stems } of phrases) {
      if (!stems.every((stem, i) => i === 0 || stem === stemWord(words[at + i]?.word ?? ''))) continue
      conceptIndexes.add(place)
      for (let i = 0; i < stems.length; i++) hitWords.add(at + i)
    }
  }
  return { text, hits: words.filter((_, i) => hitWords.has(i)), conceptIndexes }
}

interface TextRange {
  readonly from: number
  readonly to: number
}

function joinAdjacent(text: string, hits: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = []
  for (const hit of hits) {
    const last = joined.at(-1)
    const isBeside = last !== undefined && text.slice(last.to, hit.from).trim() === ''
    if (isBeside) joined[joined.length - 1] = { from: last.from, to: hit.to }
    else joined.push(hit)
  }
  return joined
}

export function toHighlightParts({ text, hits }: Pick<HighlightedText, 'text' | 'hits'>): HighlightParts {
  const parts: HighlightParts = []
  let copiedTo = 0
  const add = (to: number, hit: boolean) => {
    if (to > copiedTo) parts.push({ text: text.slice(copiedTo, to), hit })
    copiedTo = to
  }
  for (const { from, to } of joinAdjacent(text, hits)) {
    add(from, false)
    add(to, true)
  }
  add(text.length, false)
  return parts
}

interface HighlightedSentence extends HighlightedText {
  readonly at_s: number
}

/**
 * Returns the sentence with the most things of `remaining`, or undefined if no sentence has a concept of `remaining`.
 * If several sentences have the most things, prefers the most concepts, then a match before the first semicolon, then
 * the earliest sentence.
 */
function findBestSentence(
  sentences: readonly HighlightedSentence[],
  concepts: readonly Concept[],
  remaining: ReadonlySet<number>,
) {
  const ordered = sentences
    .map((sentence) => {
      const newlyCovered = [...sentence.conceptIndexes].filter((place) => remaining.has(place))
      const things = newlyCovered.filter((place) => !concepts[place]?.setting).length
      return { sentence, told: newlyCovered.length, things, isAtOnce: isInOneClause(sentence) ? 1 : 0 }
    })
    .toSorted((a, b) => b.things - a.things || b.told - a.told || b.isAtOnce - a.isAtOnce)
  return ordered[0] && ordered[0].told > 0 ? ordered[0].sentence : undefined
}

function isInOneClause(sentence: HighlightedText): boolean {
  if (!sentence.text.includes(';')) return true
  const parts = toHighlightParts(sentence)
  const later = parts.findIndex(({ text, hit }) => !hit && text.includes(';'))
  return later < 0 || parts.slice(0, later).some(({ hit }) => hit)
}

/**
 * Explains a match. `at_s`: position in seconds from which the clip plays. The explanation quotes up to two moments (or
 * the title), the camera if the query names it, and tags that the moments omit. `sentence`: the moment at `at_s`, or the
 * title.
 */
export function explainMatch(
  event: Event,
  moments: readonly { text: string; at_s: number }[],
  concepts: readonly Concept[],
  camera: string | null,
): Pick<SearchMatch, 'why' | 'at_s'> & { readonly sentence: string } {
  const sentences = moments.map(({ text, at_s }): HighlightedSentence => ({
    ...highlightMatches(text, concepts),
    at_s,
  }))
  const all = new Set(concepts.keys())
  const first = findBestSentence(sentences, concepts, all) ??
    sentences[0] ?? { ...highlightMatches(event.title, concepts), at_s: 0 }
  const things = [...all].filter((place) => !first.conceptIndexes.has(place) && !concepts[place]?.setting)
  const second = findBestSentence(sentences, concepts, new Set(things))
  const coveredConcepts = new Set([...first.conceptIndexes, ...(second?.conceptIndexes ?? [])])
  const tags = listUnmentionedTags(event, concepts, coveredConcepts)
  const last = second ?? first
  const endsSentence = /[.!?。।]$/.test(last.text)
  return {
    at_s: first.at_s,
    sentence: first.text,
    why: [
      ...(camera === null ? [] : [hitPart(camera), plainPart(': ')]),
      ...toHighlightParts(first),
      ...(second ? [plainPart(' '), ...toHighlightParts(second)] : []),
      ...tags.flatMap((tag, i) => [plainPart(i > 0 ? ', ' : endsSentence ? ' Tagged ' : ', tagged '), hitPart(tag)]),
      ...(tags.length > 0 ? [plainPart('.')] : []),
    ],
  }
}

const hitPart = (text: string) => ({ text, hit: true })
const plainPart = (text: string) => ({ text, hit: false })

function listUnmentionedTags(
  { event_values, tags }: Event,
  concepts: readonly Concept[],
  coveredConcepts: ReadonlySet<number>,
): string[] {
  const unsaid = concepts.filter((_, place) => !coveredConcepts.has(place))
  const found = unsaid.flatMap((concept) => {
    const values = event_values.filter((value) => highlightMatches(value, [concept]).conceptIndexes.size > 0)
    const ids = tags.filter((id) => concept.tags.includes(id))
    return values.length > 0 ? values : EVENT_TAGS.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  })
  return [...new Map(found.map((value) => [value.toLowerCase(), value])).values()]
}
