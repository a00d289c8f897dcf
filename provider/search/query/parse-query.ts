import type { CameraArea } from '../../../contract/cameras/camera-areas.ts'
import { HOUSE_AREAS, type HouseArea } from '../lexicon/house-areas.ts'
import {
  STOP_WORDS,
  STOP_PHRASES,
  NEGATIONS,
  NO_PEOPLE_PHRASES,
  NUMBER_WORDS,
  PERSON_QUESTION_WORDS,
} from '../lexicon/stop-words.ts'
import { LOCATION_GROUPS } from '../lexicon/lexicon.ts'
import type { SynonymGroup } from '../lexicon/parse-lexicon.ts'
import { type Concept, createConcept, removeRedundantPhrases, mergeConcepts } from './concept.ts'
import { findSynonymGroup } from '../lexicon/lookup.ts'
import { stemWord } from './stemmer.ts'
import { translateQuery, type Token } from './translate-query.ts'
import { tokenize } from '../../platform/tokenize.ts'

export interface NamedCamera {
  readonly device_id: string
  readonly name: string
  readonly areas?: readonly CameraArea[]
}

export interface ParsedQuery {
  readonly concepts: readonly Concept[]
  /** Concepts that a matching event must not contain. */
  readonly not: readonly Concept[]
  /** House areas that the query names but that no camera shows, as typed in the query. */
  readonly places: readonly string[]
  /** Words of a query in another language that the lexicon of that language does not contain. */
  readonly unknown: readonly string[]
}

/**
 * Maximum number of concepts per query, not counting excluded concepts. After this number, the parser ignores the rest
 * of the query.
 */
const MAX_CONCEPTS = 10
const PHRASE_MAX_WORDS = 5

const isEnglishTerm = (word: string) =>
  STOP_WORDS.has(word) ||
  PERSON_QUESTION_WORDS.has(word) ||
  NEGATIONS.has(word) ||
  findSynonymGroup(word) !== undefined ||
  NO_PEOPLE_PHRASES.has(word) ||
  word === 'or'

const isMeaningful = (word: string) => !STOP_WORDS.has(word)

function addEnglishName(camera: NamedCamera): NamedCamera[] {
  const { tokens, isForeign } = translateQuery(tokenize(camera.name), isEnglishTerm, isMeaningful)
  if (!isForeign) return [camera]
  return [camera, { ...camera, name: tokens.map(({ english }) => english).join(' ') }]
}

const EMPTY_INTERPRETATION: PhraseInterpretation = { length: 1, concept: null }

interface PhraseInterpretation {
  readonly length: number
  readonly concept: Concept | null
  readonly group?: SynonymGroup | undefined
  readonly uncoveredArea?: string
}

/** Parses a query into concepts, in the order of the query. `cameras`: cameras that the query may name. */
export function parseQuery(
  query: string,
  cameras: readonly NamedCamera[],
  isKnownWord: (word: string) => boolean = () => false,
): ParsedQuery {
  const names = new Set(cameras.flatMap(({ name }) => tokenize(name)))
  const isKnown = (word: string) => isEnglishTerm(word) || names.has(word) || isKnownWord(word)
  const { tokens, isForeign } = translateQuery(tokenize(query), isKnown, isMeaningful)
  const isUnknown = ({ english, said: original }: Token) => isForeign && english === original && !isKnown(original)
  const parsed = new QueryParser(
    tokens.filter((token) => !isUnknown(token)).flatMap(splitToken),
    cameras.flatMap(addEnglishName),
  ).parse()
  return { ...parsed, unknown: tokens.filter(isUnknown).map(({ said: original }) => original) }
}

function splitToken({ english, said: original }: Token): Token[] {
  return english === '' ? [] : english.split(' ').map((word, n) => ({ english: word, said: n === 0 ? original : '' }))
}

class QueryParser {
  readonly #tokens: readonly Token[]
  readonly #cameras: readonly NamedCamera[]
  readonly #concepts: { concept: Concept; group?: SynonymGroup | undefined }[] = []
  readonly #excludedConcepts: Concept[] = []
  readonly #uncoveredAreas: string[] = []

  constructor(tokens: readonly Token[], cameras: readonly NamedCamera[]) {
    this.#tokens = tokens
    this.#cameras = cameras
  }

  parse(): Omit<ParsedQuery, 'unknown'> {
    let [isNot, isOr] = [false, false]
    for (let at = 0; at < this.#tokens.length && this.#concepts.length < MAX_CONCEPTS;) {
      const word = this.#tokens[at]?.english ?? ''
      if (NEGATIONS.has(word)) isNot = true
      else if (word === 'or') isOr = this.#concepts.length + this.#excludedConcepts.length > 0
      const noPeopleLength = NO_PEOPLE_PHRASES.has(this.#getPhrase(at, 2)) ? 2 : NO_PEOPLE_PHRASES.has(word) ? 1 : 0
      const interpretation = noPeopleLength > 0 ? this.#parsePeople(at, noPeopleLength) : this.#parsePhraseAt(at)
      at += interpretation.length
      if (interpretation.uncoveredArea !== undefined) this.#uncoveredAreas.push(interpretation.uncoveredArea)
      if (!interpretation.concept) continue
      if (noPeopleLength > 0) this.#excludeConcept({ ...interpretation.concept, said: 'people' }, isOr)
      else if (isNot) this.#excludeConcept(interpretation.concept, isOr)
      else this.#addConcept(interpretation, isOr)
      // In `without a cat or a dog`, the negation applies to both things.
      isNot &&= this.#tokens[at]?.english === 'or'
      isOr = false
    }
    // `who was there` names no thing, so it is a search for people.
    const whoIndex = this.#tokens.findIndex((_, at) => this.#getPersonQuestionLength(at) > 0)
    if (whoIndex >= 0 && this.#concepts.every(({ concept }) => concept.setting))
      this.#addConcept({ ...this.#parsePeople(whoIndex, 1) })
    return {
      concepts: this.#concepts.map(({ concept }) => concept),
      not: this.#excludedConcepts,
      places: this.#uncoveredAreas,
    }
  }

  #getPersonQuestionLength(at: number): number {
    return [1, 2].find((length) => PERSON_QUESTION_WORDS.has(this.#getPhrase(at, length))) ?? 0
  }

  #getPhrase(at: number, length: number): string {
    return this.#tokens
      .slice(at, at + length)
      .map(({ english }) => english)
      .join(' ')
  }

  #getOriginalText(at: number, length: number): string {
    return this.#tokens
      .slice(at, at + length)
      .map(({ said: original }) => original)
      .filter(Boolean)
      .join(' ')
  }

  #parsePeople(at: number, length: number): PhraseInterpretation {
    const group = findSynonymGroup('person')
    return {
      length,
      concept: group ? { ...createGroupConcept(['person'], group, ''), said: this.#getOriginalText(at, length) } : null,
    }
  }

  #addConcept({ concept, group }: PhraseInterpretation, isOr = false): void {
    if (!concept) return
    const last = this.#concepts.at(-1)
    if (isOr && last) last.concept = mergeConcepts(last.concept, concept)
    else {
      const same = group && this.#concepts.find((entry) => entry.group === group)
      if (same) same.concept = { ...mergeConcepts(same.concept, concept), said: same.concept.said }
      else this.#concepts.push({ concept, group })
    }
  }

  #excludeConcept(concept: Concept, isOr: boolean): void {
    const last = this.#excludedConcepts.at(-1)
    if (isOr && last) this.#excludedConcepts[this.#excludedConcepts.length - 1] = mergeConcepts(last, concept)
    else this.#excludedConcepts.push(concept)
  }

  /** Parses the longest phrase with a meaning that starts at `at`. Without such a phrase, parses the single word. */
  #parsePhraseAt(at: number): PhraseInterpretation {
    const whoLength = this.#getPersonQuestionLength(at)
    if (whoLength > 0) return { length: whoLength, concept: null }
    for (let length = Math.min(PHRASE_MAX_WORDS, this.#tokens.length - at); length > 0; length--) {
      const phrase = this.#getPhrase(at, length)
      const original = this.#getOriginalText(at, length)
      if (STOP_PHRASES.has(phrase)) return { length, concept: null }
      const location = this.#parseLocation(phrase, original)
      if (location) return { length, ...location }
      if (length === 1 && (STOP_WORDS.has(phrase) || NEGATIONS.has(phrase) || phrase === 'or'))
        return EMPTY_INTERPRETATION
      const number = length === 1 ? this.#parseNumber(at) : null
      if (number) return number
      const group = findSynonymGroup(phrase)
      if (group) return { length, concept: createGroupConcept([phrase], group, original), group }
    }
    const { english = '', said: written = '' } = this.#tokens[at] ?? {}
    return written === ''
      ? EMPTY_INTERPRETATION
      : { length: 1, concept: createConcept({ said: written, asked: listSpellings(english, written) }) }
  }

  /**
   * Returns a concept for the cameras that a phrase names by camera name, location or house area. If no camera shows
   * the named area, returns only the area. Returns null for any other phrase.
   */
  #parseLocation(phrase: string, original: string): Omit<PhraseInterpretation, 'length'> | null {
    const { devices: namedDevices, words } = findNamedCameras(phrase, this.#cameras)
    const area = HOUSE_AREAS.find(({ words }) => words.includes(phrase))
    if (namedDevices.length > 0) {
      const assignedCameras = this.#cameras.filter(({ areas }) => area && areas?.includes(area.id))
      const devices = [...new Set([...namedDevices, ...assignedCameras.map(({ device_id }) => device_id)])]
      return { concept: createConcept({ said: original, asked: [phrase], like: words, devices, setting: true }) }
    }
    if (!area) return null
    const camerasInArea = new Set(
      this.#cameras.filter((camera) => isInArea(camera, area)).map(({ device_id }) => device_id),
    )
    return camerasInArea.size > 0
      ? { concept: createConcept({ said: original, devices: [...camerasInArea], setting: true }) }
      : { concept: null, uncoveredArea: original }
  }

  /** Parses a number before a countable thing, as in `two people`, into a separate concept. */
  #parseNumber(at: number): PhraseInterpretation | null {
    const number = NUMBER_WORDS.find((words) => words.includes(this.#getPhrase(at, 1)))
    if (!number) return null
    // In `two red cars`, the number counts cars, so skip the appearance.
    const [nextGroup] = this.#findCountableGroups(at + 1)
    const [next, from] = nextGroup?.look ? [this.#findCountableGroups(at + 2)[0], 1] : [nextGroup, 2]
    if (!next) return { length: 1, concept: null }
    const [numberWord = '', digits = ''] = number
    const counts = (count: string, things: readonly string[]) =>
      things.filter((word) => !word.includes(' ')).map((thing) => `${count} ${thing}`)
    const [first = '', ...like] = [
      ...counts(numberWord, getSynonyms(next)),
      ...counts(digits, removeRedundantPhrases(next.words)),
    ]
    return { length: 1, concept: createConcept({ said: this.#getOriginalText(at, from), asked: [first], like }) }
  }

  #findCountableGroups(at: number): SynonymGroup[] {
    return [2, 1].flatMap((length) => findSynonymGroup(this.#getPhrase(at, length)) ?? [])
  }
}

const listSpellings = (english: string, original: string) => [...new Set([english, original].filter(Boolean))]

const synonymCache = new Map<SynonymGroup, readonly string[]>()

function getSynonyms(group: SynonymGroup): readonly string[] {
  const like = synonymCache.get(group) ?? removeRedundantPhrases([...new Set([...group.words, ...(group.also ?? [])])])
  synonymCache.set(group, like)
  return like
}

const stopWordStems = new Set([...STOP_WORDS].map(stemWord))

/**
 * Returns true if `phrase` is in `asks` and has the same stem as a stop word: `ate` has the stem of `at`. The index
 * cannot distinguish such words.
 */
const isStopWordStem = (phrase: string, { asks }: SynonymGroup) =>
  asks?.includes(phrase) === true && stopWordStems.has(stemWord(phrase))

function createGroupConcept(phrases: readonly string[], group: SynonymGroup, original: string): Concept {
  const queryTerms = [...new Set([...phrases, original])].filter(
    (phrase) => phrase !== '' && !isStopWordStem(phrase, group),
  )
  const like = getSynonyms(group).filter((word) => !queryTerms.includes(word))
  const { tags = [], setting = false, loose = false, look = false } = group
  return createConcept({ said: original, asked: queryTerms, like, tags, setting, loose, look })
}

/**
 * Returns the cameras that a phrase names, and other words for the location. The search also looks for these words in
 * clips of all cameras.
 */
function findNamedCameras(phrase: string, cameras: readonly NamedCamera[]) {
  const joined = phrase.replaceAll(' ', '')
  const namedCameras = cameras.filter(({ name }) => tokenize(name).join('') === joined)
  const locationGroup = LOCATION_GROUPS.find((words) => words.some((word) => word === phrase))
  const camerasAtLocation =
    locationGroup === undefined ? [] : cameras.filter(({ name }) => locationGroup.some((word) => hasPhrase(name, word)))
  return {
    devices: [...new Set([...namedCameras, ...camerasAtLocation].map(({ device_id }) => device_id))],
    words: (locationGroup ?? []).filter((word) => word !== phrase),
  }
}

const isInArea = ({ name, areas }: NamedCamera, { id, names }: HouseArea) =>
  areas?.includes(id) ?? names.some((word) => hasPhrase(name, word))

const hasPhrase = (name: string, phrase: string) => ` ${tokenize(name).join(' ')} `.includes(` ${phrase} `)

/**
 * Returns the key under which feedback for a query is stored: the sorted query words without stop words, or all words
 * if the query contains only stop words.
 */
export function toFeedbackKey(query: string): string {
  const words = tokenize(query)
  const meaningfulWords = words.filter((word) => !STOP_WORDS.has(word))
  return [...new Set(meaningfulWords.length > 0 ? meaningfulWords : words)].sort().join(' ')
}
