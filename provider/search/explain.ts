import type { Match } from '../../contract/search.ts'
import { isTagWord } from '../faces/tag-words.ts'
import { HIT } from './moment-columns.ts'
import type { Shown } from './search-rows.ts'

export type Why = Match['why']

/** Longest part of a sentence on the wire. */
const PART_MAX = 300

/** A text with `HIT` around what matched, in parts. */
function partsOf(marked: string): Why {
  return marked
    .split(/(\ue000[^\ue001]*\ue001)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(HIT.from) ? { text: part.slice(1, -1), hit: true } : { text: part, hit: false }))
    .map(({ text, hit }) => ({ text: text.slice(0, PART_MAX), hit }))
}

const hitsOf = (parts: Why) => new Set(parts.filter(({ hit }) => hit).map(({ text }) => text.toLowerCase()))

/**
 * Why an event was found and from which second of its clip on: its moment in which the most matched, or its title, with the
 * camera in front when it was asked for, and the values that matched behind when the sentence does not say them.
 */
export function explain(shown: Shown, camera: string | null): Pick<Match, 'why' | 'at_s'> {
  const moments = shown.moments === null ? [] : (JSON.parse(shown.moments) as string[]).map(partsOf)
  const times = shown.times === null ? [] : (JSON.parse(shown.times) as number[])
  const counts = moments.map((parts) => hitsOf(parts).size)
  const best = counts.indexOf(Math.max(0, ...counts))
  const sentence = moments[best] ?? partsOf(shown.title)
  const said = hitsOf(sentence)
  const labels = (JSON.parse(shown.labels) as string[]).map(partsOf)
  const unsaid = labels.filter(
    (parts) => parts.some(({ hit }) => hit) && ![...hitsOf(parts)].every((word) => said.has(word)),
  )
  const also = said.size > 0 ? unsaid.filter(isName) : unsaid
  return {
    at_s: moments[best] === undefined ? 0 : (times[best] ?? 0),
    why: [
      ...(camera === null
        ? []
        : [
            { text: camera, hit: true },
            { text: ': ', hit: false },
          ]),
      ...sentence,
      ...also.flatMap((parts, i) => [{ text: i === 0 ? ' Tagged ' : ', ', hit: false }, ...parts]),
      ...(also.length > 0 ? [{ text: '.', hit: false }] : []),
    ],
  }
}

/** Whether a value is no word for what is seen or heard, hence the name of somebody. */
const isName = (parts: Why) => !isTagWord(parts.map(({ text }) => text).join(''))
