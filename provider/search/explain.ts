import { EVENT_TAGS } from '../../contract/event-tags.ts'
import type { Event } from '../../contract/events.ts'
import type { Match } from '../../contract/search.ts'
import { wordsOf, type Concept } from './rules.ts'
import { stemOf } from './stem.ts'

type Why = Match['why']
interface Marked {
  readonly parts: Why
  /** Places of the concepts that the text says. */
  readonly says: ReadonlySet<number>
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const stemsOf = (text: string) => wordsOf(text).map(stemOf)

const kept = new WeakMap<Concept, string[][]>()

/** Phrases of a concept in stems; worked out once for all that is explained by it. */
function phrasesOf(concept: Concept): string[][] {
  const known = kept.get(concept)
  if (known) return known
  const phrases = [...concept.asked, ...concept.like].map(stemsOf)
  kept.set(concept, phrases)
  return phrases
}

/** Marks what of a text is asked for, word for word as the index compares them. */
export function mark(text: string, concepts: readonly Concept[]): Marked {
  const words = [...text.matchAll(WORD)].map((found) => ({ from: found.index, to: found.index + found[0].length }))
  const stems = words.map(({ from, to }) => stemsOf(text.slice(from, to)).join(''))
  const hit = new Set<number>()
  const says = new Set<number>()
  for (const [place, concept] of concepts.entries())
    for (const phrase of phrasesOf(concept))
      for (let at = 0; at + phrase.length <= stems.length; at++) {
        if (!phrase.every((stem, i) => stem === stems[at + i])) continue
        says.add(place)
        for (let i = 0; i < phrase.length; i++) hit.add(at + i)
      }
  return {
    parts: partsOf(
      text,
      words.filter((_, i) => hit.has(i)),
    ),
    says,
  }
}

function partsOf(text: string, hits: readonly { from: number; to: number }[]): Why {
  const parts: Why = []
  let done = 0
  const add = (to: number, hit: boolean) => {
    if (to > done) parts.push({ text: text.slice(done, to), hit })
    done = to
  }
  for (const { from, to } of hits) {
    add(from, false)
    add(to, true)
  }
  add(text.length, false)
  return parts
}

/**
 * Why an event was found and from which second of its clip on: its moment that says the most of what was asked, or its title where
 * nobody describes it; the camera in front when it was asked for; behind it what the event is tagged with and the sentence does not say.
 */
export function explain(
  event: Event,
  moments: readonly { text: string; at_s: number }[],
  concepts: readonly Concept[],
  camera: string | null,
): Pick<Match, 'why' | 'at_s'> {
  const marked = moments.map(({ text }) => mark(text, concepts))
  const most = Math.max(0, ...marked.map(({ says }) => says.size))
  const best = marked.findIndex(({ says }) => says.size === most)
  const sentence = marked[best] ?? mark(event.title, concepts)
  const tags = unsaidTags(event, concepts, sentence.says)
  const ends = /\.$/.test(sentence.parts.at(-1)?.text ?? '')
  return {
    at_s: moments[best]?.at_s ?? 0,
    why: [
      ...(camera === null ? [] : [hitPart(camera), plainPart(': ')]),
      ...sentence.parts,
      ...tags.flatMap((tag, i) => [plainPart(i > 0 ? ', ' : ends ? ' Tagged ' : ', tagged '), hitPart(tag)]),
      ...(tags.length > 0 ? [plainPart('.')] : []),
    ],
  }
}

const hitPart = (text: string) => ({ text, hit: true })
const plainPart = (text: string) => ({ text, hit: false })

/** Values and tags that match what the sentence does not say. */
function unsaidTags({ event_values, tags }: Event, concepts: readonly Concept[], said: ReadonlySet<number>): string[] {
  const unsaid = concepts.filter((_, place) => !said.has(place))
  const found = unsaid.flatMap((concept) => {
    const values = event_values.filter((value) => mark(value, [concept]).says.size > 0)
    const ids = tags.filter((id) => concept.tags.includes(id))
    return values.length > 0 ? values : EVENT_TAGS.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  })
  return [...new Map(found.map((value) => [value.toLowerCase(), value])).values()]
}
