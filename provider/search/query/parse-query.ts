import type { CameraPlace } from '../../../contract/cameras/camera-areas.ts'
import { AREAS, type Area } from '../lexicon/house-areas.ts'
import { FILLER, FILLER_PHRASES, NEGATIONS, NOBODY_PHRASES, NUMBERS, WHO } from '../lexicon/stop-words.ts'
import { LOCATIONS } from '../lexicon/lexicon.ts'
import type { SynonymGroup } from '../lexicon/parse-lexicon.ts'
import { type Concept, createConcept, distinct, mergeConcepts } from './concept.ts'
import { findGroup } from '../lexicon/lookup.ts'
import { stemWord } from './stemmer.ts'
import { inEnglish, type Token } from './translate-query.ts'
import { tokenize } from '../../platform/tokenize.ts'

export interface NamedCamera {
  readonly device_id: string
  readonly name: string
  readonly areas?: readonly CameraPlace[]
}

export interface ParsedQuery {
  readonly concepts: readonly Concept[]
  /** Excluded concepts. */
  readonly not: readonly Concept[]
  /** Camera areas that the query names but no camera covers, in the query's words. */
  readonly places: readonly string[]
  /** Words of another language that no lexicon contains. */
  readonly unknown: readonly string[]
}

/** Maximum number of concepts; further ones are ignored. */
const CONCEPTS_MAX = 10
const PHRASE_MAX = 5

const isEnglish = (word: string) =>
  FILLER.has(word) ||
  WHO.has(word) ||
  NEGATIONS.has(word) ||
  findGroup(word) !== undefined ||
  NOBODY_PHRASES.has(word) ||
  word === 'or'

/** Returns true if the word has a meaning for the search, so it is not a stop word. */
const tells = (word: string) => !FILLER.has(word)

/** Returns the camera and, if its name is foreign, a copy of the camera with the name in English. */
function alsoInEnglish(camera: NamedCamera): NamedCamera[] {
  const { tokens, isForeign } = inEnglish(tokenize(camera.name), isEnglish, tells)
  if (!isForeign) return [camera]
  return [camera, { ...camera, name: tokens.map(({ english }) => english).join(' ') }]
}

const nothing: Read = { length: 1, concept: null }

interface Read {
  readonly length: number
  readonly concept: Concept | null
  readonly group?: SynonymGroup | undefined
  /** Camera area that no camera covers. */
  readonly unplaced?: string
}

/** Parses a query into concepts, in their order. `cameras`: cameras that the query may name. */
export function parseQuery(
  question: string,
  cameras: readonly NamedCamera[],
  knows: (word: string) => boolean = () => false,
): ParsedQuery {
  const names = new Set(cameras.flatMap(({ name }) => tokenize(name)))
  const isKnown = (word: string) => isEnglish(word) || names.has(word) || knows(word)
  const { tokens, isForeign } = inEnglish(tokenize(question), isKnown, tells)
  const isUnknown = ({ english, said: original }: Token) => isForeign && english === original && !isKnown(original)
  const understood = new Sentence(
    tokens.filter((token) => !isUnknown(token)).flatMap(divided),
    cameras.flatMap(alsoInEnglish),
  ).read()
  return { ...understood, unknown: tokens.filter(isUnknown).map(({ said: original }) => original) }
}

/** Splits a token of several English words. The first part keeps the original text. */
function divided({ english, said: original }: Token): Token[] {
  return english === '' ? [] : english.split(' ').map((word, n) => ({ english: word, said: n === 0 ? original : '' }))
}

class Sentence {
  private readonly tokens: readonly Token[]
  private readonly cameras: readonly NamedCamera[]
  private readonly concepts: { concept: Concept; group?: SynonymGroup | undefined }[] = []
  private readonly not: Concept[] = []
  private readonly places: string[] = []

  constructor(tokens: readonly Token[], cameras: readonly NamedCamera[]) {
    this.tokens = tokens
    this.cameras = cameras
  }

  read(): Omit<ParsedQuery, 'unknown'> {
    let [isNot, isOr] = [false, false]
    for (let at = 0; at < this.tokens.length && this.concepts.length < CONCEPTS_MAX;) {
      const word = this.tokens[at]?.english ?? ''
      if (NEGATIONS.has(word)) isNot = true
      else if (word === 'or') isOr = this.concepts.length + this.not.length > 0
      const nobody = NOBODY_PHRASES.has(this.phrase(at, 2)) ? 2 : NOBODY_PHRASES.has(word) ? 1 : 0
      const read = nobody > 0 ? this.people(at, nobody) : this.readAt(at)
      at += read.length
      if (read.unplaced !== undefined) this.places.push(read.unplaced)
      if (!read.concept) continue
      if (nobody > 0) this.exclude({ ...read.concept, said: 'people' }, isOr)
      else if (isNot) this.exclude(read.concept, isOr)
      else this.add(read, isOr)
      // `without a cat or a dog` excludes both.
      isNot &&= this.tokens[at]?.english === 'or'
      isOr = false
    }
    // `who was there` asks for people.
    const whoIndex = this.tokens.findIndex((_, at) => this.whoAt(at) > 0)
    if (whoIndex >= 0 && this.concepts.every(({ concept }) => concept.setting))
      this.add({ ...this.people(whoIndex, 1) })
    return { concepts: this.concepts.map(({ concept }) => concept), not: this.not, places: this.places }
  }

  /** Returns the number of words at `at` that ask for any person (see `WHO`); 0 if none. */
  private whoAt(at: number): number {
    return [1, 2].find((length) => WHO.has(this.phrase(at, length))) ?? 0
  }

  private phrase(at: number, length: number): string {
    return this.tokens
      .slice(at, at + length)
      .map(({ english }) => english)
      .join(' ')
  }

  private originalText(at: number, length: number): string {
    return this.tokens
      .slice(at, at + length)
      .map(({ said: original }) => original)
      .filter(Boolean)
      .join(' ')
  }

  private people(at: number, length: number): Read {
    const group = findGroup('person')
    return {
      length,
      concept: group ? { ...ofGroup(['person'], group, ''), said: this.originalText(at, length) } : null,
    }
  }

  private add({ concept, group }: Read, isOr = false): void {
    if (!concept) return
    const last = this.concepts.at(-1)
    if (isOr && last) last.concept = mergeConcepts(last.concept, concept)
    else {
      const same = group && this.concepts.find((entry) => entry.group === group)
      if (same) same.concept = { ...mergeConcepts(same.concept, concept), said: same.concept.said }
      else this.concepts.push({ concept, group })
    }
  }

  private exclude(concept: Concept, isOr: boolean): void {
    const last = this.not.at(-1)
    if (isOr && last) this.not[this.not.length - 1] = mergeConcepts(last, concept)
    else this.not.push(concept)
  }

  /** Parses the longest phrase at `at` that has a meaning, otherwise the single word. */
  private readAt(at: number): Read {
    const whoLength = this.whoAt(at)
    if (whoLength > 0) return { length: whoLength, concept: null }
    for (let length = Math.min(PHRASE_MAX, this.tokens.length - at); length > 0; length--) {
      const phrase = this.phrase(at, length)
      const original = this.originalText(at, length)
      if (FILLER_PHRASES.has(phrase)) return { length, concept: null }
      const placed = this.placed(phrase, original)
      if (placed) return { length, ...placed }
      if (length === 1 && (FILLER.has(phrase) || NEGATIONS.has(phrase) || phrase === 'or')) return nothing
      const counted = length === 1 ? this.counted(at) : null
      if (counted) return counted
      const group = findGroup(phrase)
      if (group) return { length, concept: ofGroup([phrase], group, original), group }
    }
    const { english = '', said: written = '' } = this.tokens[at] ?? {}
    return written === ''
      ? nothing
      : { length: 1, concept: createConcept({ said: written, asked: asAsked(english, written) }) }
  }

  /**
   * Returns a concept for the cameras that a phrase names (by camera name, location word or assigned area), otherwise
   * for the cameras in the area that the phrase names. Returns null if the phrase names neither.
   */
  private placed(phrase: string, original: string): Omit<Read, 'length'> | null {
    const { devices: called, words } = camerasCalled(phrase, this.cameras)
    const area = AREAS.find(({ words }) => words.includes(phrase))
    if (called.length > 0) {
      const assignedCameras = this.cameras.filter(({ areas }) => area && areas?.includes(area.id))
      const devices = [...new Set([...called, ...assignedCameras.map(({ device_id }) => device_id)])]
      return { concept: createConcept({ said: original, asked: [phrase], like: words, devices, setting: true }) }
    }
    if (!area) return null
    const there = new Set(this.cameras.filter((camera) => isIn(camera, area)).map(({ device_id }) => device_id))
    return there.size > 0
      ? { concept: createConcept({ said: original, devices: [...there], setting: true }) }
      : { concept: null, unplaced: original }
  }

  /** `two people`: a number before a countable thing becomes an additional concept. */
  private counted(at: number): Read | null {
    const number = NUMBERS.find((words) => words.includes(this.phrase(at, 1)))
    if (!number) return null
    // `two red cars` counts cars.
    const [beside] = this.countable(at + 1)
    const [next, from] = beside?.look ? [this.countable(at + 2)[0], 1] : [beside, 2]
    if (!next) return { length: 1, concept: null }
    const [spelt = '', figure = ''] = number
    const counts = (count: string, things: readonly string[]) =>
      things.filter((word) => !word.includes(' ')).map((thing) => `${count} ${thing}`)
    const [first = '', ...like] = [...counts(spelt, getSynonyms(next)), ...counts(figure, distinct(next.words))]
    return { length: 1, concept: createConcept({ said: this.originalText(at, from), asked: [first], like }) }
  }

  private countable(at: number): SynonymGroup[] {
    return [2, 1].flatMap((length) => findGroup(this.phrase(at, length)) ?? [])
  }
}

/** Returns the words of the query in English and, if different, in its own language. */
const asAsked = (english: string, original: string) => [...new Set([english, original].filter(Boolean))]

const likes = new Map<SynonymGroup, readonly string[]>()

function getSynonyms(group: SynonymGroup): readonly string[] {
  const like = likes.get(group) ?? distinct([...new Set([...group.words, ...(group.also ?? [])])])
  likes.set(group, like)
  return like
}

const fillerStems = new Set([...FILLER].map(stemWord))

/**
 * True if the stem of a query word equals that of a stop word, so that the index cannot tell them apart: `ate` and
 * `at`.
 */
const isLost = (phrase: string, { asks }: SynonymGroup) =>
  asks?.includes(phrase) === true && fillerStems.has(stemWord(phrase))

function ofGroup(phrases: readonly string[], group: SynonymGroup, original: string): Concept {
  const queryTerms = [...new Set([...phrases, original])].filter((phrase) => phrase !== '' && !isLost(phrase, group))
  const like = getSynonyms(group).filter((word) => !queryTerms.includes(word))
  return createConcept({
    ...{ said: original, asked: queryTerms, like, tags: group.tags ?? [] },
    ...{ setting: group.setting ?? false, loose: group.loose ?? false, look: group.look ?? false },
  })
}

/**
 * Returns the cameras that a phrase names, and other words for the location, which clips of other cameras may mention.
 */
function camerasCalled(phrase: string, cameras: readonly NamedCamera[]) {
  const joined = phrase.replaceAll(' ', '')
  const named = cameras.filter(({ name }) => tokenize(name).join('') === joined)
  const place = LOCATIONS.find((words) => words.some((word) => word === phrase))
  const there = place === undefined ? [] : cameras.filter(({ name }) => place.some((word) => hasPhrase(name, word)))
  return {
    devices: [...new Set([...named, ...there].map(({ device_id }) => device_id))],
    words: (place ?? []).filter((word) => word !== phrase),
  }
}

const isIn = ({ name, areas }: NamedCamera, { id, names }: Area) =>
  areas?.includes(id) ?? names.some((word) => hasPhrase(name, word))

const hasPhrase = (name: string, phrase: string) => ` ${tokenize(name).join(' ')} `.includes(` ${phrase} `)

/** Returns the feedback key of a query: its words, sorted, without stop words. */
export function wordsKey(question: string): string {
  const words = tokenize(question)
  const telling = words.filter((word) => !FILLER.has(word))
  return [...new Set(telling.length > 0 ? telling : words)].sort().join(' ')
}
