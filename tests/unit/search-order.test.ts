import { describe, expect, test } from 'vitest'
import { explain, mark } from '../../provider/search/explain.ts'
import {
  compare,
  foundBy,
  foundWithoutDoing,
  isWanted,
  strengthOf,
  weightOf,
  weightsOf,
  type Placed,
} from '../../provider/search/rank.ts'
import { understand } from '../../provider/search/understand.ts'
import { makeEvent } from '../support/home.ts'

const CAMERAS = [
  { device_id: 'cam_1', name: 'Front door' },
  { device_id: 'cam_2', name: 'Backyard' },
]
const sentence = (parts: readonly { text: string; hit: boolean }[]) =>
  parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

describe('the order of results', () => {
  const { concepts } = understand('courier zebra at night', [])
  const weights = weightsOf(concepts, [0, 1, 0])

  test('has combinations of more, and of rarer, concepts first; where and when weigh least', () => {
    const masks = [0b001, 0b010, 0b011, 0b100, 0b101, 0b110, 0b111]
    const order = masks.toSorted((a, b) => weightOf(b, weights) - weightOf(a, weights))
    expect(order).toEqual([0b111, 0b011, 0b110, 0b101, 0b010, 0b001, 0b100])
  })

  test('counts an event as found with everything that was asked for, whatever the light', () => {
    const masks = [0b111, 0b011, 0b101, 0b001, 0b100]
    const isFound = (query: string, mask: number) => isWanted(mask, foundBy(understand(query, CAMERAS).concepts))
    expect(masks.map((mask) => isFound('courier zebra at night', mask))).toEqual([true, true, false, false, false])
    expect(masks.map((mask) => strengthOf(mask, concepts))).toEqual(['strong', 'good', 'good', 'weak', 'weak'])
    expect(isFound('at night', 1)).toBe(true)
    // A camera that was named is no light.
    expect([0b01, 0b11].map((mask) => isFound('fox in the garden', mask))).toEqual([false, true])
  })

  test('counts an event as found without what is done where two things are left, or a thing and a camera', () => {
    const without = (query: string) => foundWithoutDoing(understand(query, CAMERAS).concepts)
    expect(without('fox running with a ball')?.must).toBe(0b101)
    expect(without('fox runs in the backyard')?.must).toBe(0b101)
    for (const query of ['fox running', 'running and jumping', 'fox with a ball', 'fox at night'])
      expect(without(query), query).toBeNull()
  })

  test('is by what matches, then feedback, then words, then time; what is wrong stands last', () => {
    const base: Placed = { event_id: '', event_ts: 0, rank: 0, mask: 1, weight: 1, vote: 0 }
    const placed = [
      { ...base, event_id: 'wrong', weight: 9, vote: -1 },
      { ...base, event_id: 'old' },
      { ...base, event_id: 'new', event_ts: 1 },
      { ...base, event_id: 'worded', rank: -1 },
      { ...base, event_id: 'right', vote: 1 },
      { ...base, event_id: 'more', weight: 2 },
    ]
    const ids = placed.toSorted(compare).map(({ event_id }) => event_id)
    expect(ids).toEqual(['more', 'right', 'worded', 'new', 'old', 'wrong'])
  })
})

describe('the reason', () => {
  const why = (
    query: string,
    change: object,
    moments: { text: string; at_s: number }[],
    camera: string | null = null,
  ) => {
    const { concepts } = understand(query, CAMERAS)
    const found = explain(
      makeEvent('cam_1', 'e1', { event_values: [], tags: [], ...change }),
      moments,
      concepts,
      camera,
    )
    return [found.at_s, sentence(found.why)]
  }

  test('marks each word that matches, also in another form or by its meaning', () => {
    const { parts } = mark(
      'Two puppies barked, then walked; a Café cat.',
      understand('dog barking walks cafe', []).concepts,
    )
    expect(sentence(parts)).toBe('Two [puppies] [barked], then [walked]; a [Café] cat.')
  })

  test('is the moment that says the most, and begins there', () => {
    const moments = [
      { at_s: 1, text: 'A dog sleeps.' },
      { at_s: 8, text: 'A dog chases a cat.' },
    ]
    expect(why('dog and cat', {}, moments)).toEqual([8, 'A [dog] chases a [cat].'])
    expect(why('dog', {}, moments)).toEqual([1, 'A [dog] sleeps.'])
  })

  test('is the title where nobody describes the pictures, with what it is tagged with', () => {
    expect(why('barking', { title: 'Motion', tags: ['800002'] }, [])).toEqual([0, 'Motion, tagged [Barking].'])
    expect(why('Maya', { title: 'Person', event_values: ['person', 'Maya'] }, [])).toEqual([
      0,
      'Person, tagged [Maya].',
    ])
  })

  test('has behind it the sentence that says the rest, with the second of the one that says the most', () => {
    const moments = [
      { at_s: 4, text: 'A black cat walks along the bench.' },
      { at_s: 9, text: 'A black cat sits by the box.' },
    ]
    const { concepts } = understand('cat on the bench by a box', [])
    const { why, at_s } = explain(makeEvent('cam_1', 'e1'), moments, concepts, null)
    expect(at_s).toBe(4)
    expect(sentence(why)).toBe('A black [cat] walks along the [bench]. A black [cat] sits by the [box].')
  })

  test('is not the sentence that says it behind a semicolon, where another one begins with it', () => {
    const moments = [
      { at_s: 9, text: 'A courier rings; Sam takes the parcel in.' },
      { at_s: 30, text: 'Sam lifts the box from the mat.' },
    ]
    expect(explain(makeEvent('cam_1', 'e1'), moments, understand('Sam', []).concepts, null).at_s).toBe(30)
  })

  test('names the camera that was asked for', () => {
    expect(why('front door courier', {}, [{ at_s: 2, text: 'A courier rings.' }], 'Front door')).toEqual([
      2,
      '[Front door]: A [courier] rings.',
    ])
  })
})
