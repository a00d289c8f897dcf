import { DatabaseSync } from 'node:sqlite'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { explain, mark } from '../../provider/search/explain.ts'
import { compare, isWanted, mostOf, strengthOf, weightOf, weightsOf, type Placed } from '../../provider/search/rank.ts'
import { matchOf, mended, understand, wordsKey, type Concept } from '../../provider/search/rules.ts'
import { stemOf } from '../../provider/search/stem.ts'
import { meantBy } from '../../provider/search/typos.ts'
import { makeEvent } from '../support/home.ts'

const CAMERAS = [
  { device_id: 'cam_1', name: 'Front door' },
  { device_id: 'cam_2', name: 'Backyard' },
]
const asked = (query: string) => understand(query, CAMERAS).map((concept) => concept.asked.join(' '))
const sentence = (parts: readonly { text: string; hit: boolean }[]) =>
  parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

describe('a query', () => {
  test.each([
    ['Show me the dog in the backyard', ['dog', 'backyard']],
    ['Was there anybody at the front door last night?', ['anybody', 'front door', 'night']],
    ['a courier, or a delivery', ['courier delivery']],
    ['broken glass and a red car', ['broken glass', 'red', 'car']],
    ['José’s Rosé', ['jose', 'rose']],
    ['the of it me', []],
    ['*:"^() 🐕', []],
  ])('%j asks for %j', (query, concepts) => {
    expect(asked(query)).toEqual(concepts)
  })

  test('stands for words that mean the same, in any form, and for tags', () => {
    const [puppies] = understand('puppies', [])
    expect(puppies?.like).toContain('dog')
    const [parcel] = understand('packages', [])
    expect(parcel).toMatchObject({ tags: ['104'] })
    expect(parcel?.like).toEqual(expect.arrayContaining(['parcel', 'box']))
    const [person] = understand('a woman', [])
    expect(person?.like).toContain('somebody')
  })

  test('means cameras by their name and by the place that it names', () => {
    const devices = (query: string) => understand(query, CAMERAS).flatMap((concept) => concept.devices)
    expect(devices('cat in the garden')).toEqual(['cam_2'])
    expect(devices('back yard')).toEqual(['cam_2'])
    expect(devices('porch')).toEqual(['cam_1'])
    expect(devices('garage')).toEqual([])
  })

  test('goes to the index with each word in quotation marks, whatever it is', () => {
    for (const query of ['NEAR AND OR NOT', 'a" OR title:"b', 'dog* ^cat', '-minus +plus', 'x'.repeat(200)])
      for (const concept of understand(query, []))
        expect(matchOf(concept)).toMatch(/^[({}a-z_ :)]+("[\p{L}\p{N} ]+"|[() ]| OR |[{}a-z_ :])+$/u)
  })

  test('counts the same for feedback in any order, with or without words that say nothing', () => {
    expect(wordsKey('The dog on a FENCE')).toBe(wordsKey('fence dog'))
    expect(wordsKey('dog')).not.toBe(wordsKey('puppy'))
    expect(wordsKey('the')).toBe('the')
  })

  test.each([
    ['parcle', 'parcel'],
    ['parcl', 'parcel'],
    ['parrcel', 'parcel'],
    ['porcel', 'parcel'],
    ['parc', 'parcel'],
    ['prcl', null],
    ['par', null],
  ])('%j may mean %j', (word, meant) => {
    expect(meantBy(word, ['unrelated', 'parcel'])).toBe(meant)
  })

  test('with a slip means what the word is known for', () => {
    const [concept] = understand('pupy', [])
    expect(concept && mended(concept, () => [])?.like).toContain('dog')
    expect(concept && mended({ ...concept, asked: ['qwrtz'] }, () => ['query'])).toBeNull()
  })
})

test('a stem is the one that the index makes of a word', () => {
  const db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE t USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2')")
  db.exec("CREATE VIRTUAL TABLE stems USING fts5vocab (t, 'instance')")
  const files = ['../../scenes/manifest.json', '../../provider/search/words.ts', '../../docs/requirements.md']
  const text = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join(' ')
  const words = [...new Set(text.toLowerCase().match(/[a-z]{3,}/g))]
  const insert = db.prepare('INSERT INTO t (rowid, word) VALUES (?, ?)')
  for (const [n, word] of words.entries()) insert.run(n, word)
  const stems = db.prepare('SELECT doc, term FROM stems ORDER BY doc').all() as { doc: number; term: string }[]
  expect(words.length).toBeGreaterThan(1000)
  expect(words.map(stemOf)).toEqual(stems.map(({ term }) => term))
})

describe('the order of results', () => {
  const concepts = understand('courier zebra at night', [])
  const weights = weightsOf(concepts, [0, 1, 0])

  test('has combinations of more, and of rarer, concepts first; where and when weigh least', () => {
    const masks = [0b001, 0b010, 0b011, 0b100, 0b101, 0b110, 0b111]
    const order = masks.toSorted((a, b) => weightOf(b, weights) - weightOf(a, weights))
    expect(order).toEqual([0b111, 0b011, 0b110, 0b101, 0b010, 0b001, 0b100])
  })

  test('counts an event as found with half of what was asked for, the night aside', () => {
    const masks = [0b111, 0b011, 0b101, 0b001, 0b100]
    const isFound = (mask: number, asked: typeof concepts) => isWanted(mask, mostOf(asked))
    expect(masks.map((mask) => isFound(mask, concepts))).toEqual([true, true, true, true, false])
    expect(masks.map((mask) => strengthOf(mask, concepts))).toEqual(['strong', 'good', 'good', 'weak', 'weak'])
    expect(isFound(1, understand('at night', []))).toBe(true)
    const truck = understand('red fire truck with ladder', [])
    expect([3, 7].map((mask) => isFound(mask, truck))).toEqual([false, true])
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
    const concepts: Concept[] = understand(query, CAMERAS)
    const found = explain(
      makeEvent('cam_1', 'e1', { event_values: [], tags: [], ...change }),
      moments,
      concepts,
      camera,
    )
    return [found.at_s, sentence(found.why)]
  }

  test('marks each word that matches, also in another form or by its meaning', () => {
    const { parts } = mark('Two puppies barked, then walked; a Café cat.', understand('dog barking walks cafe', []))
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

  test('names the camera that was asked for', () => {
    expect(why('front door courier', {}, [{ at_s: 2, text: 'A courier rings.' }], 'Front door')).toEqual([
      2,
      '[Front door]: A [courier] rings.',
    ])
  })
})
