import type { DetectionTrack } from '../../../contract/events/detections.ts'
import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { tokenize } from '../../platform/tokenize.ts'
import type { ThumbnailDetections } from '../index/search-rows.ts'
import type { Concept } from '../query/concept.ts'
import { parseQuery } from '../query/parse-query.ts'
import { stemWord } from '../query/stemmer.ts'
import { highlightMatches, toHighlightParts } from './highlight-matches.ts'

/** Maximum time between the match and the thumbnail, seconds. A thumbnail further away shows another moment. */
const THUMBNAIL_DISTANCE_MAX_S = 1
const PARTS_PER_SECOND = 100

/** Kinds of detections, and a query whose synonyms and narrower terms name such objects. */
const KIND_QUERIES = { person: 'person', vehicle: 'vehicle', pet: 'animal', package: 'package' } as const

let kindsByStem: ReadonlyMap<string, string> | undefined
const getKindsByStem = () => (kindsByStem ??= new Map(Object.entries(KIND_QUERIES).flatMap(listKindStems)))

const listKindStems = ([kind, query]: [string, string]): [string, string][] =>
  parseQuery(query, []).concepts.flatMap((concept) =>
    [...concept.asked, ...concept.like]
      .map(tokenize)
      .flatMap(([word, ...others]): [string, string][] =>
        word !== undefined && others.length === 0 ? [[stemWord(word), kind]] : [],
      ),
  )

/**
 * Returns the position in the thumbnail of the object that the query names. Returns undefined if the thumbnail shows
 * another moment than the match, or if the clip shows no such object, or several, between the two.
 */
export function findSubject(
  detections: ThumbnailDetections | undefined,
  { at_s, sentence }: { readonly at_s: number; readonly sentence: string },
  concepts: readonly Concept[],
): SearchMatch['subject'] {
  if (!detections || Math.abs(detections.thumb_at_s - at_s) > THUMBNAIL_DISTANCE_MAX_S) return undefined
  const [at, thumbAt] = [at_s * PARTS_PER_SECOND, detections.thumb_at_s * PARTS_PER_SECOND]
  for (const kind of listSubjectKinds(sentence, concepts)) {
    const visible = detections.tracks.filter(
      (track) => track.kind === kind && isVisible(track, Math.min(at, thumbAt), Math.max(at, thumbAt)),
    )
    const [track, ...others] = visible
    if (others.length > 0) return undefined
    const subject = track && interpolateBox(track, thumbAt)
    if (subject) return subject
  }
  return undefined
}

/**
 * Returns the kinds of detections that the query names, in order of the query. Omits a kind if the sentence mentions
 * several objects of the kind, such as a dog and a cat. Returns none if the first clause lacks a thing or appearance of
 * the query, because later clauses describe later moments.
 */
function listSubjectKinds(sentence: string, concepts: readonly Concept[]): string[] {
  const [clause = ''] = sentence.split(';')
  const described = concepts.filter(({ setting, loose, devices }) => !setting && !loose && devices.length === 0)
  if (described.length === 0 || highlightMatches(clause, described).conceptIndexes.size < described.length) return []
  const kinds = described.flatMap((concept) => {
    const hits = toHighlightParts(highlightMatches(clause, [concept])).filter(({ hit }) => hit)
    return hits.flatMap(({ text }) => listKinds(text).map(([, kind]) => kind))
  })
  const mentioned = [...new Map(listKinds(clause)).values()]
  return [...new Set(kinds)].filter((kind) => mentioned.filter((other) => other === kind).length === 1)
}

/** Returns the stems in a text that name a detected object, with the kind of the object. */
const listKinds = (text: string): [string, string][] =>
  tokenize(text).flatMap((word): [string, string][] => {
    const kind = getKindsByStem().get(stemWord(word))
    return kind === undefined ? [] : [[stemWord(word), kind]]
  })

const isVisible = ({ boxes }: DetectionTrack, from: number, to: number) =>
  (boxes[0]?.[0] ?? Infinity) <= to && (boxes.at(-1)?.[0] ?? -1) >= from

/** Returns the position of an object at a time, hundredths of a second; undefined if the object was not visible. */
function interpolateBox({ boxes }: DetectionTrack, at: number): SearchMatch['subject'] {
  const to = boxes.find(([time]) => time >= at)
  const from = boxes.findLast(([time]) => time <= at)
  if (!from || !to) return undefined
  const progress = to[0] > from[0] ? (at - from[0]) / (to[0] - from[0]) : 0
  const position = (i: 1 | 2 | 3 | 4) => Math.round(from[i] + (to[i] - from[i]) * progress)
  return [position(1), position(2), position(3), position(4)]
}
