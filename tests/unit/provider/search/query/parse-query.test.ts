import { DatabaseSync } from 'node:sqlite'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toMatchQuery } from '../../../../../provider/search/query/concept.ts'
import { isOneTypo, correctTypos } from '../../../../../provider/search/query/spelling.ts'
import { stemWord } from '../../../../../provider/search/query/stemmer.ts'
import { parseQuery, toFeedbackKey } from '../../../../../provider/search/query/parse-query.ts'

const CAMERAS = [
  { device_id: 'cam_1', name: 'Front door' },
  { device_id: 'cam_2', name: 'Backyard' },
]
const listConcepts = (query: string) => parseQuery(query, CAMERAS).concepts.map((concept) => concept.asked.join(' '))

describe('search query', () => {
  test.each([
    ['Show me the dog in the backyard', ['dog', 'backyard']],
    ['Was there anybody at the front door in the night?', ['anybody', 'front door', 'night']],
    ['a courier, or a delivery', ['courier delivery']],
    ['a fox or a squirrel', ['fox squirrel']],
    ['broken glass and a red car', ['broken glass', 'red', 'car']],
    ['José’s Rosé', ['jose', 'rose']],
    ['who was there', ['person']],
    ['who took the parcel', ['took', 'parcel']],
    ['the of it me', []],
    ['is there any sign of a fox on camera', ['fox']],
    ['did the dog get fed while I was at work', ['dog', 'fed']],
    ['*:"^() 🐕', []],
  ])('%j searches for %j', (query, concepts) => {
    expect(listConcepts(query)).toEqual(concepts)
  })

  test('expands to synonyms in any form, and to tags', () => {
    const first = (query: string) => parseQuery(query, []).concepts[0]
    expect(first('puppies')?.like).toContain('dog')
    expect(first('packages')).toMatchObject({ tags: ['104'] })
    expect(first('packages')?.like).toEqual(expect.arrayContaining(['parcel', 'box']))
    expect(first('animals')?.like).toContain('fox')
    // A search for a woman does not match descriptions of an unspecified person.
    expect(first('a woman')?.like).not.toContain('somebody')
  })

  test.each([
    ['brolly', 'umbrella'],
    ['stroller', 'pram'],
    ['trash', 'rubbish'],
    ['took', 'taken'],
    ['grabbed', 'collect'],
    ['zipped past a bmx', 'bicycle'],
    ['ups driver', 'courier'],
    ['someone fell over', 'stumble'],
    ['sweater', 'jumper'],
    ['telly', 'television'],
  ])('%j also searches for %j', (query, word) => {
    expect(parseQuery(query, []).concepts.flatMap(({ asked: terms, like }) => [...terms, ...like])).toContain(word)
  })

  test('finds narrower terms of its words, but never broader ones', () => {
    const found = (query: string) => parseQuery(query, []).concepts.flatMap(({ like }) => like)
    expect(found('bird')).toContain('magpie')
    expect(found('magpie')).not.toContain('bird')
    expect(found('vehicle')).toContain('ambulance')
    expect(found('ambulance')).not.toContain('van')
  })

  test('is not expanded to words that have other meanings too', () => {
    const [courier, lamp] = ['courier', 'lamp'].map((query) => parseQuery(query, []).concepts[0]?.like)
    // `post` also searches for couriers, but `courier` does not search for `post`.
    expect(parseQuery('post', []).concepts[0]?.like).toContain('courier')
    expect(courier).not.toContain('post')
    // The index uses the same stem for `ate` and `at`, so the query does not search for `ate` itself.
    expect(parseQuery('ate', []).concepts[0]?.asked).toEqual([])
    expect(parseQuery('lights', []).concepts[0]?.like).toContain('lamp')
    expect(lamp).not.toContain('lights')
  })

  test.each([
    ['cat but not at night', ['cat'], ['night']],
    ['car without a person', ['car'], ['person']],
    ['garden without a cat or a dog', ['garden'], ['cat dog']],
    ['nobody in the garden', ['garden'], ['person']],
    ['no one at night', ['night'], ['person']],
    ['Auto ohne Person', ['car auto'], ['person']],
    ['un gato pero no de noche', ['cat gato'], ['night de noche']],
    ['chien sans enfant', ['dog chien'], ['child enfant']],
    ['कुत्ते के बिना बिल्ली', ['cat बिल्ली'], ['dog कुत्ते']],
  ])('%j searches for %j without %j', (query, expected, without) => {
    const { concepts, not } = parseQuery(query, CAMERAS)
    expect([concepts, not].map((list) => list.map((concept) => concept.asked.join(' ')))).toEqual([expected, without])
  })

  test('searches for people on `who` and `did somebody` only if it names nothing else', () => {
    expect(listConcepts('who was in the backyard')).toEqual(['backyard', 'person'])
    expect(listConcepts('did somebody ring')).toEqual(['ring'])
    expect(listConcepts('was anyone in the backyard')).toEqual(['backyard', 'person'])
    expect(listConcepts('somebody ringing')).toEqual(['somebody', 'ringing'])
  })

  test('understands counts', () => {
    const [number, people] = parseQuery('two people', []).concepts
    expect(number?.like).toEqual(expect.arrayContaining(['two people', '2 people', 'two children', 'two men']))
    expect(people?.asked).toEqual(['people'])
    expect(parseQuery('zwei Autos', []).concepts[0]?.like).toContain('two automobile')
  })

  test('matches cameras by name, by the place in the name, and by part of the house', () => {
    const devices = (query: string) => parseQuery(query, CAMERAS).concepts.flatMap((concept) => concept.devices)
    expect(devices('cat in the garden')).toEqual(['cam_2'])
    expect(devices('back yard')).toEqual(['cam_2'])
    expect(devices('porch')).toEqual(['cam_1'])
    expect(devices('out back')).toEqual(['cam_2'])
    expect(devices('outside')).toEqual(['cam_1', 'cam_2'])
    expect(devices('draußen')).toEqual(['cam_1', 'cam_2'])
    expect(devices('garage')).toEqual([])
  })

  test('reports a place that no camera covers, unless the owner has assigned it to one', () => {
    expect(parseQuery('cat upstairs', CAMERAS).places).toEqual(['upstairs'])
    const camerasWithAreas = CAMERAS.map((camera) => ({ ...camera, areas: ['upstairs'] as const }))
    expect(parseQuery('cat upstairs', camerasWithAreas)).toMatchObject({
      places: [],
      concepts: [{}, { devices: ['cam_1', 'cam_2'] }],
    })
  })

  test('matches a camera of that name, and every one that its owner assigned to that place', () => {
    const cameras = [
      { device_id: 'cam_1', name: 'Upstairs' },
      { device_id: 'cam_2', name: 'Attic' },
      { device_id: 'cam_3', name: 'Kitchen', areas: ['upstairs', 'back'] as const },
      { device_id: 'cam_4', name: 'Backyard', areas: ['inside'] as const },
    ]
    const meant = (query: string) => parseQuery(query, cameras).concepts.map(({ devices }) => devices)
    expect(meant('upstairs')).toEqual([['cam_1', 'cam_3']])
    expect(meant('at the back')).toEqual([['cam_3']])
    expect(meant('backyard')).toEqual([['cam_4']])
  })

  test.each([
    ['Fuchs in der Nacht', ['fox fuchs', 'night nacht']],
    ['ein Hund, der mit einem roten Ball spielt', ['dog hund', 'red roten', 'ball', 'play spielt']],
    ['repartidor con un paquete', ['courier repartidor', 'parcel paquete']],
    ['le chat dort sur le canapé', ['cat chat', 'sleep dort', 'sofa canape']],
    ['सड़क पर लाल कार', ['street सड़क', 'red लाल', 'car कार']],
  ])('%j is understood as %j', (query, concepts) => {
    expect(listConcepts(query)).toEqual(concepts)
  })

  test('reports words of another language that no table knows, and does not search for them', () => {
    expect(parseQuery('Hund mit Quietscheente', [])).toMatchObject({ unknown: ['quietscheente'], concepts: [{}] })
    expect(parseQuery('dog with a quietscheente', [])).toMatchObject({ unknown: [], concepts: [{}, {}] })
  })

  test('passes each word to the index in quotation marks, whatever it is', () => {
    for (const query of ['NEAR AND OR NOT', 'a" OR title:"b', 'dog* ^cat', '-minus +plus', 'x'.repeat(200)])
      for (const concept of parseQuery(query, []).concepts)
        expect(toMatchQuery(concept)).toMatch(/^[({}a-z_ :)]+("[\p{L}\p{N} ]+"|[() ]| OR |[{}a-z_ :])+$/u)
  })

  test('counts the same for feedback in any order, with or without stop words', () => {
    expect(toFeedbackKey('The dog on a FENCE')).toBe(toFeedbackKey('fence dog'))
    expect(toFeedbackKey('dog')).not.toBe(toFeedbackKey('puppy'))
    expect(toFeedbackKey('the')).toBe('the')
  })
})

describe('typo', () => {
  const createWordSource =
    (...words: string[]) =>
    (initial: string) =>
      words.filter((word) => word.startsWith(initial))

  test.each([
    ['kenell', 'kennel'],
    ['kennle', 'kennel'],
    ['kernel', null],
    ['jennel', null],
    ['kenl', null],
    ['nekkel', null],
  ])('%j may mean %j', (word, meant) => {
    expect(correctTypos(word, createWordSource('unrelated', 'kennel'))[0] ?? null).toBe(meant)
  })

  test('is not assumed for a word of the language, however similar another one is', () => {
    for (const word of ['smoke', 'spoke', 'stone', 'couch', 'ladder', 'horse', 'house', 'boats', 'broken'])
      expect(
        correctTypos(word, createWordSource('spoke', 'store', 'coach', 'ladle', 'goats', 'token', 'smote', 'brown')),
      ).toEqual([])
  })

  test('swaps two letters, in a long word even with letters between them', () => {
    expect(isOneTypo('bycicle', 'bicycle')).toBe(true)
    expect(isOneTypo('pacrel', 'parcel')).toBe(true)
    expect(isOneTypo('pecral', 'parcel')).toBe(false)
    expect(isOneTypo('bycilce', 'bicycle')).toBe(false)
    expect(isOneTypo('cybicle', 'bicycle')).toBe(false)
  })

  test('may mean a word of the lexicon', () => {
    expect(correctTypos('bycicle', createWordSource())).toEqual(['bicycle'])
    expect(correctTypos('pakage', createWordSource())).toEqual(['package'])
    expect(correctTypos('gardan', createWordSource())).toEqual(['garden'])
  })
})

test('a stem equals the one that the index makes of a word', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(
    'CREATE VIRTUAL TABLE t USING fts5 (word, tokenize = "porter unicode61 remove_diacritics 2 categories \'L* N* Co Mn Mc\'")',
  )
  db.exec("CREATE VIRTUAL TABLE stems USING fts5vocab (t, 'instance')")
  const files = [
    '../../../../../scenes/manifest.json',
    '../../../../../provider/search/lexicon/data/english/activity-verbs.json',
    '../../../../../docs/requirements.md',
  ]
  const text = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join(' ')
  const words = [...new Set(text.toLowerCase().match(/[a-z]{3,}/g))]
  const insert = db.prepare('INSERT INTO t (rowid, word) VALUES (?, ?)')
  for (const [n, word] of words.entries()) insert.run(n, word)
  const stems = db.prepare('SELECT doc, term FROM stems ORDER BY doc').all() as { doc: number; term: string }[]
  expect(words.length).toBeGreaterThan(1000)
  expect(words.map(stemWord)).toEqual(stems.map(({ term }) => term))
})
