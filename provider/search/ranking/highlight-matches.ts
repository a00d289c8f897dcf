import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import type { Concept } from '../query/concept.ts'
import { stemWord, stemText } from '../query/stemmer.ts'
import { tokenizeWithOffsets } from '../../platform/tokenize.ts'

type HighlightParts = SearchMatch['why']
interface Marked {
  readonly parts: HighlightParts
  /** Indexes of the concepts that occur in the text. */
  readonly says: ReadonlySet<number>
}

type Phrases = ReadonlyMap<string, readonly string[][]>
const phraseCache = new WeakMap<Concept, Phrases>()

function getPhrases(concept: Concept): Phrases {
  const cached = phraseCache.get(concept)
  if (cached) return cached
  const phrases = Map.groupBy([...concept.asked, ...concept.like].map(stemText), ([first = '']) => first)
  phraseCache.set(concept, phrases)
  return phrases
}

/** Highlights the words of a text that match concepts. Compares stems, as the index does. */
export function highlightMatches(text: string, concepts: readonly Concept[]): Marked {
  const words = tokenizeWithOffsets(text)
  const stems = words.map(({ word }) => stemWord(word))
  const hit = new Set<number>()
  const says = new Set<number>()
  for (const [place, concept] of concepts.entries())
    for (const [at, word] of stems.entries())
      for (const phrase of getPhrases(concept).get(word) ?? []) {
        if (!phrase.every((stem, i) => stem === stems[at + i])) continue
        says.add(place)
        for (let i = 0; i < phrase.length; i++) hit.add(at + i)
      }
  return {
    parts: toHighlightParts(
      text,
      words.filter((_, i) => hit.has(i)),
    ),
    says,
  }
}

interface Range {
  readonly from: number
  readonly to: number
}

/** Joins adjacent words into one highlight. */
function sideBySide(text: string, hits: readonly Range[]): Range[] {
  const joined: Range[] = []
  for (const hit of hits) {
    const last = joined.at(-1)
    const isBeside = last !== undefined && text.slice(last.to, hit.from).trim() === ''
    if (isBeside) joined[joined.length - 1] = { from: last.from, to: hit.to }
    else joined.push(hit)
  }
  return joined
}

function toHighlightParts(text: string, hits: readonly Range[]): HighlightParts {
  const parts: HighlightParts = []
  let done = 0
  const add = (to: number, hit: boolean) => {
    if (to > done) parts.push({ text: text.slice(done, to), hit })
    done = to
  }
  for (const { from, to } of sideBySide(text, hits)) {
    add(from, false)
    add(to, true)
  }
  add(text.length, false)
  return parts
}

interface Sentence extends Marked {
  readonly at_s: number
}

/**
 * Returns the sentence that mentions the most concepts of `unsaid`; things count before time and location. On a tie, a
 * match before the first semicolon wins, because later parts happen after the sentence's second; then the first
 * sentence wins.
 */
function findBestSentence(sentences: readonly Sentence[], concepts: readonly Concept[], unsaid: ReadonlySet<number>) {
  const ordered = sentences
    .map((sentence) => {
      const newlyCovered = [...sentence.says].filter((place) => unsaid.has(place))
      const things = newlyCovered.filter((place) => !concepts[place]?.setting).length
      return { sentence, told: newlyCovered.length, things, isAtOnce: isAtOnce(sentence) ? 1 : 0 }
    })
    .toSorted((a, b) => b.things - a.things || b.told - a.told || b.isAtOnce - a.isAtOnce)
  return ordered[0] && ordered[0].told > 0 ? ordered[0].sentence : undefined
}

function isAtOnce({ parts }: Marked): boolean {
  const later = parts.findIndex(({ text, hit }) => !hit && text.includes(';'))
  return later < 0 || parts.slice(0, later).some(({ hit }) => hit)
}

/**
 * Explains a match and returns the second of the clip to play from. The explanation names the camera if the query does,
 * the moment with the most concepts (or the title), the moment with the most remaining things, and tags that both
 * moments omit.
 */
export function explain(
  event: Event,
  moments: readonly { text: string; at_s: number }[],
  concepts: readonly Concept[],
  camera: string | null,
): Pick<SearchMatch, 'why' | 'at_s'> {
  const sentences = moments.map(({ text, at_s }): Sentence => ({ ...highlightMatches(text, concepts), at_s }))
  const all = new Set(concepts.keys())
  const first = findBestSentence(sentences, concepts, all) ??
    sentences[0] ?? { ...highlightMatches(event.title, concepts), at_s: 0 }
  const things = [...all].filter((place) => !first.says.has(place) && !concepts[place]?.setting)
  const second = findBestSentence(sentences, concepts, new Set(things))
  const coveredConcepts = new Set([...first.says, ...(second?.says ?? [])])
  const tags = unsaidTags(event, concepts, coveredConcepts)
  const last = second ?? first
  const ends = /[.!?。।]$/.test(last.parts.at(-1)?.text ?? '')
  return {
    at_s: first.at_s,
    why: [
      ...(camera === null ? [] : [hitPart(camera), plainPart(': ')]),
      ...first.parts,
      ...(second ? [plainPart(' '), ...second.parts] : []),
      ...tags.flatMap((tag, i) => [plainPart(i > 0 ? ', ' : ends ? ' Tagged ' : ', tagged '), hitPart(tag)]),
      ...(tags.length > 0 ? [plainPart('.')] : []),
    ],
  }
}

const hitPart = (text: string) => ({ text, hit: true })
const plainPart = (text: string) => ({ text, hit: false })

/** Returns values and tags that match concepts which the sentences do not mention. */
function unsaidTags(
  { event_values, tags }: Event,
  concepts: readonly Concept[],
  coveredConcepts: ReadonlySet<number>,
): string[] {
  const unsaid = concepts.filter((_, place) => !coveredConcepts.has(place))
  const found = unsaid.flatMap((concept) => {
    const values = event_values.filter((value) => highlightMatches(value, [concept]).says.size > 0)
    const ids = tags.filter((id) => concept.tags.includes(id))
    return values.length > 0 ? values : EVENT_TAGS.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  })
  return [...new Map(found.map((value) => [value.toLowerCase(), value])).values()]
}
