import { describe, expect, test } from 'vitest'
import {
  explainMatch,
  highlightMatches,
  toHighlightParts,
} from '../../../../../provider/search/ranking/highlight-matches.ts'
import {
  compareHits,
  listRequirements,
  hasAppearanceNearThing,
  meetsRequirement,
  classifyStrength,
  computeWeight,
  computeWeights,
  type RankedHit,
} from '../../../../../provider/search/ranking/match-weights.ts'
import { parseQuery } from '../../../../../provider/search/query/parse-query.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const CAMERAS = [
  { device_id: 'cam_1', name: 'Front door' },
  { device_id: 'cam_2', name: 'Backyard' },
]
const markHits = (parts: readonly { text: string; hit: boolean }[]) =>
  parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

describe('the ranking of results', () => {
  const { concepts } = parseQuery('courier zebra at night', [])
  const weights = computeWeights(concepts, [0, 1, 0])

  test('puts combinations of more and of rarer concepts first; place and time weigh least', () => {
    const masks = [0b001, 0b010, 0b011, 0b100, 0b101, 0b110, 0b111]
    const byWeight = (a: number, b: number) => computeWeight(b, weights) - computeWeight(a, weights)
    const order = masks.toSorted(byWeight)
    expect(masks.toReversed().toSorted(byWeight)).toEqual(order)
    expect(order).toEqual([0b111, 0b011, 0b110, 0b101, 0b010, 0b001, 0b100])
  })

  test('requires every term for a match, and ignores day or night if no event has them all', () => {
    const listRequiredMasks = (query: string) =>
      listRequirements(parseQuery(query, CAMERAS).concepts).map(({ must }) => must)
    expect(listRequiredMasks('courier zebra at night')).toEqual([0b111, 0b011])
    expect(listRequiredMasks('at night')).toEqual([1])
    // `garden` names a camera. The search may ignore only day or night, so it always requires the camera.
    expect(listRequiredMasks('fox in the garden')).toEqual([0b11])
    const [all, anyLight] = listRequirements(concepts)
    const masks = [0b111, 0b011, 0b101, 0b001]
    expect(masks.map((mask) => all && meetsRequirement(mask, all))).toEqual([true, false, false, false])
    expect(masks.map((mask) => anyLight && meetsRequirement(mask, anyLight))).toEqual([true, true, false, false])
  })

  test('rates a match as strong if one sentence contains every term', () => {
    const strengths = (isOne: boolean) =>
      [0b111, 0b011, 0b001].map((mask) => classifyStrength({ mask, isOne }, concepts))
    expect(strengths(true)).toEqual(['strong', 'good', 'weak'])
    expect(strengths(false)).toEqual(['good', 'good', 'weak'])
  })

  test('ignores movement for a match if two things, or a thing and a camera, are left', () => {
    const listRequiredMasks = (query: string) =>
      listRequirements(parseQuery(query, CAMERAS).concepts).map(({ must }) => must)
    expect(listRequiredMasks('fox running with a ball')).toEqual([0b111, 0b101])
    expect(listRequiredMasks('fox runs in the backyard')).toEqual([0b111, 0b101])
    expect(listRequiredMasks('fox running with a ball at night')).toEqual([0b1111, 0b1101, 0b0111, 0b0101])
    for (const query of ['fox running', 'running and jumping', 'fox with a ball'])
      expect(listRequiredMasks(query), query).toHaveLength(1)
  })

  test('counts an appearance only if a sentence mentions it together with a thing of the query', () => {
    const { concepts: queryConcepts } = parseQuery('red car', [])
    expect(hasAppearanceNearThing([0b01, 0b10], queryConcepts)).toBe(false)
    expect(hasAppearanceNearThing([0b11, 0], queryConcepts)).toBe(true)
    expect(hasAppearanceNearThing([0b01], queryConcepts)).toBe(false)
    expect(hasAppearanceNearThing([0b1], parseQuery('red', []).concepts)).toBe(true)
  })

  test('sorts by matching terms, then feedback, then wording, then time; wrong results come last', () => {
    const base: RankedHit = { event_id: '', event_ts: 0, rank: 0, mask: 1, weight: 1, isOne: true, vote: 0 }
    const placed = [
      { ...base, event_id: 'wrong', weight: 9, vote: -1 },
      { ...base, event_id: 'old' },
      { ...base, event_id: 'new', event_ts: 1 },
      { ...base, event_id: 'worded', rank: -1 },
      { ...base, event_id: 'right', vote: 1 },
      { ...base, event_id: 'more', weight: 2 },
    ]
    const ids = placed.toSorted(compareHits).map(({ event_id }) => event_id)
    expect(ids).toEqual(['more', 'right', 'worded', 'new', 'old', 'wrong'])
  })
})

describe('the match explanation', () => {
  const why = (
    query: string,
    change: object,
    moments: { text: string; at_s: number }[],
    camera: string | null = null,
  ) => {
    const { concepts } = parseQuery(query, CAMERAS)
    const found = explainMatch(
      createBridgeEvent('cam_1', 'e1', { event_values: [], tags: [], ...change }),
      moments,
      concepts,
      camera,
    )
    return [found.at_s, markHits(found.why)]
  }

  test('highlights each matching word, also in another form or by its meaning', () => {
    const highlighted = highlightMatches(
      'Two puppies barked, then walked; a Café cat.',
      parseQuery('dog barking walks cafe', []).concepts,
    )
    expect(markHits(toHighlightParts(highlighted))).toBe('Two [puppies barked], then [walked]; a [Café] cat.')
  })

  test('is the moment with the most matches and starts there', () => {
    const moments = [
      { at_s: 1, text: 'A dog sleeps.' },
      { at_s: 8, text: 'A dog chases a cat.' },
    ]
    expect(why('dog and cat', {}, moments)).toEqual([8, 'A [dog] chases a [cat].'])
    expect(why('dog', {}, moments)).toEqual([1, 'A [dog] sleeps.'])
  })

  test('is the title and its tags if no moment describes the clip', () => {
    expect(why('barking', { title: 'Motion', tags: ['800002'] }, [])).toEqual([0, 'Motion, tagged [Barking].'])
    expect(why('Maya', { title: 'Person', event_values: ['person', 'Maya'] }, [])).toEqual([
      0,
      'Person, tagged [Maya].',
    ])
  })

  test('appends the sentence with the remaining terms and keeps the second of the best one', () => {
    const moments = [
      { at_s: 4, text: 'A black cat walks along the bench.' },
      { at_s: 9, text: 'A black cat sits by the box.' },
    ]
    const { concepts } = parseQuery('cat on the bench by a box', [])
    const { why, at_s } = explainMatch(createBridgeEvent('cam_1', 'e1'), moments, concepts, null)
    expect(at_s).toBe(4)
    expect(markHits(why)).toBe('A black [cat] walks along the [bench]. A black [cat] sits by the [box].')
  })

  test('prefers a sentence that begins with the match to one with the match after a semicolon', () => {
    const moments = [
      { at_s: 9, text: 'A courier rings; Sam takes the parcel in.' },
      { at_s: 30, text: 'Sam lifts the box from the mat.' },
    ]
    expect(explainMatch(createBridgeEvent('cam_1', 'e1'), moments, parseQuery('Sam', []).concepts, null).at_s).toBe(30)
  })

  test('names the camera from the query', () => {
    expect(why('front door courier', {}, [{ at_s: 2, text: 'A courier rings.' }], 'Front door')).toEqual([
      2,
      '[Front door]: A [courier] rings.',
    ])
  })
})
