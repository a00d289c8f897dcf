import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { CAMERA_AREAS } from '../../../../../contract/cameras/camera-areas.ts'
import { EVENT_TAGS } from '../../../../../contract/events/event-tags.ts'
import wordList from '../../../../../provider/search/lexicon/data/english-word-stems.json' with { type: 'json' }
import { HOUSE_AREAS } from '../../../../../provider/search/lexicon/house-areas.ts'
import { SYNONYM_GROUPS, LOCATION_GROUPS, TRANSLATIONS } from '../../../../../provider/search/lexicon/lexicon.ts'
import { findSynonymGroup } from '../../../../../provider/search/lexicon/lookup.ts'
import { parseGroups, parseTranslations, parseWordList } from '../../../../../provider/search/lexicon/parse-lexicon.ts'
import * as stopWords from '../../../../../provider/search/lexicon/stop-words.ts'
import { stemWord } from '../../../../../provider/search/query/stemmer.ts'

const DATA_FOLDER = 'provider/search/lexicon/data'
const readData = (name: string): unknown => JSON.parse(readFileSync(join(DATA_FOLDER, name), 'utf8'))
const listFiles = (folder: string) => readdirSync(join(DATA_FOLDER, folder)).map((name) => `${folder}/${name}`)

const wordsText = v.pipe(
  v.string(),
  v.regex(/^@?[\p{L}\p{M}\d '*.@-]+(, @?[\p{L}\p{M}\d '*.-]+)*$/u),
  v.check((text) => text === text.toLowerCase()),
)
const lists = v.exactOptional(v.record(v.string(), wordsText))
const synonymFile = v.strictObject({
  lists,
  groups: v.array(
    v.strictObject({
      words: wordsText,
      also: v.exactOptional(wordsText),
      asks: v.exactOptional(wordsText),
      tags: v.exactOptional(v.array(v.picklist(EVENT_TAGS.map(({ id }) => id)))),
      kind: v.exactOptional(v.picklist(['setting', 'loose', 'look'])),
    }),
  ),
})
const areaFile = v.strictObject({
  lists,
  areas: v.array(v.strictObject({ id: v.picklist(CAMERA_AREAS), words: wordsText, names: wordsText })),
})
const languageFile = v.array(v.pipe(v.string(), v.regex(/^[a-z/ ]*: \S/)))

const findRepeats = (words: readonly string[]) => words.filter((word, at) => words.indexOf(word) !== at)

/** Stems of the English words that have at least five letters. */
const stems = new Set(wordList.stems.join(' ').split(' '))
const { STOP_WORDS, STOP_PHRASES, NEGATIONS, NO_PEOPLE_PHRASES, NUMBER_WORDS, PERSON_QUESTION_WORDS } = stopWords
const otherKnownPhrases = new Set([
  ...STOP_WORDS,
  ...STOP_PHRASES,
  ...NEGATIONS,
  ...NO_PEOPLE_PHRASES,
  ...NUMBER_WORDS.flat(),
  ...PERSON_QUESTION_WORDS,
  'or',
])
for (const phrase of [...LOCATION_GROUPS.flat(), ...HOUSE_AREAS.flatMap(({ words }) => words)])
  otherKnownPhrases.add(phrase)
/**
 * Four-letter English words in the translations that neither the lexicon nor `stems` contains. The search still finds
 * these words in descriptions.
 */
const SHORT_WORDS = new Set(['long', 'tied', 'room'])
const isKnown = (phrase: string): boolean =>
  findSynonymGroup(phrase) !== undefined ||
  otherKnownPhrases.has(phrase) ||
  stems.has(stemWord(phrase)) ||
  SHORT_WORDS.has(phrase)

describe('data files of the lexicon', () => {
  test.each(listFiles('english'))('%s has the format of synonym groups', (name) => {
    const file = v.parse(synonymFile, readData(name))
    expect(parseGroups(file).length).toBeGreaterThan(3)
  })

  test('house-areas.json names areas of the contract', () => {
    expect(v.parse(areaFile, readData('house-areas.json')).areas.map(({ id }) => id)).toEqual(
      HOUSE_AREAS.map(({ id }) => id),
    )
  })

  test('the code loads every data file of a language', () => {
    expect(listFiles('languages')).toEqual(Object.keys(TRANSLATIONS).map((code) => `languages/${code}.json`))
  })

  test.each(listFiles('languages'))('%s has lines of an English phrase and its translations', (name) => {
    for (const [english, words] of parseTranslations(v.parse(languageFile, readData(name)))) {
      expect([english, findRepeats(words)]).toEqual([english, []])
      expect(words.map((word) => word.toLowerCase())).toEqual(words)
    }
  })

  test.each(Object.entries(TRANSLATIONS))('%s translates to words that the search knows', (_, lines) => {
    const phrases = parseTranslations(lines).flatMap(([english]) => english.split('/').map((phrase) => phrase.trim()))
    const unknown = phrases.filter((phrase) => phrase !== '' && !isKnown(phrase) && !phrase.split(' ').every(isKnown))
    expect(unknown).toEqual([])
  })

  test('no synonym group has a word twice', () => {
    expect(SYNONYM_GROUPS.flatMap(({ words, asks = [] }) => findRepeats([...words, ...asks]))).toEqual([])
  })

  test('a list that the file does not have is an error', () => {
    expect(() => parseWordList('dog, @wild-animals', { 'farm-animals': 'cow' })).toThrow('wild-animals')
  })
})
