import type { CameraPlace } from '../../../contract/cameras/camera-areas.ts'
import { AREAS, type Area } from '../lexicon/house-areas.ts'
import { FILLER, FILLER_PHRASES, NEGATIONS, NOBODY, NUMBERS, WHO } from '../lexicon/stop-words.ts'
import type { Group } from '../lexicon/synonym-group.ts'
import { PLACES } from '../lexicon/light-and-locations.ts'
import { type Concept, conceptOf, distinct, eitherOf } from './concept.ts'
import { groupOf } from '../lexicon/lookup.ts'
import { stemOf } from './stemmer.ts'
import { inEnglish, type Token } from './translate-query.ts'
import { wordsOf } from '../../platform/tokenize.ts'

/** A camera as it is called now, and what its owner says of its place. */
export interface NamedCamera {
  readonly device_id: string
  readonly name: string
  readonly areas?: readonly CameraPlace[]
}

/** What a question asks for. */
export interface Understood {
  readonly concepts: readonly Concept[]
  /** What must not be there. */
  readonly not: readonly Concept[]
  /** Places that no camera is known to look at, as they were asked for. */
  readonly places: readonly string[]
  /** Words of another language that no table knows. */
  readonly unknown: readonly string[]
}

/** More concepts than that are not looked for. */
const CONCEPTS_MAX = 10
/** Words of the longest phrase. */
const PHRASE_MAX = 5

/** Whether the tables of English know the word. */
const isEnglish = (word: string) =>
  FILLER.has(word) ||
  WHO.has(word) ||
  NEGATIONS.has(word) ||
  groupOf(word) !== undefined ||
  NOBODY.has(word) ||
  word === 'or'

/** Whether a word that is known says something in English. */
const tells = (word: string) => !FILLER.has(word)

/** A camera by its name, and by that in English too where it is of another language. */
function alsoInEnglish(camera: NamedCamera): NamedCamera[] {
  const { tokens, isForeign } = inEnglish(wordsOf(camera.name), isEnglish, tells)
  if (!isForeign) return [camera]
  return [camera, { ...camera, name: tokens.map(({ english }) => english).join(' ') }]
}

const nothing: Read = { length: 1, concept: null }

interface Read {
  readonly length: number
  readonly concept: Concept | null
  readonly group?: Group | undefined
  /** A place that no camera looks at. */
  readonly unplaced?: string
}

/** What a question asks for, in its order. `cameras`: those that may be meant by their names. */
export function understand(
  question: string,
  cameras: readonly NamedCamera[],
  knows: (word: string) => boolean = () => false,
): Understood {
  const names = new Set(cameras.flatMap(({ name }) => wordsOf(name)))
  const isKnown = (word: string) => isEnglish(word) || names.has(word) || knows(word)
  const { tokens, isForeign } = inEnglish(wordsOf(question), isKnown, tells)
  const isUnknown = ({ english, said }: Token) => isForeign && english === said && !isKnown(said)
  const understood = new Sentence(
    tokens.filter((token) => !isUnknown(token)).flatMap(divided),
    cameras.flatMap(alsoInEnglish),
  ).read()
  return { ...understood, unknown: tokens.filter(isUnknown).map(({ said }) => said) }
}

/** A token of several English words as one for each; only the first says what was asked. */
function divided({ english, said }: Token): Token[] {
  return english === '' ? [] : english.split(' ').map((word, n) => ({ english: word, said: n === 0 ? said : '' }))
}

class Sentence {
  private readonly tokens: readonly Token[]
  private readonly cameras: readonly NamedCamera[]
  private readonly concepts: { concept: Concept; group?: Group | undefined }[] = []
  private readonly not: Concept[] = []
  private readonly places: string[] = []

  constructor(tokens: readonly Token[], cameras: readonly NamedCamera[]) {
    this.tokens = tokens
    this.cameras = cameras
  }

  read(): Omit<Understood, 'unknown'> {
    let [isNot, isOr] = [false, false]
    for (let at = 0; at < this.tokens.length && this.concepts.length < CONCEPTS_MAX;) {
      const word = this.tokens[at]?.english ?? ''
      if (NEGATIONS.has(word)) isNot = true
      else if (word === 'or') isOr = this.concepts.length + this.not.length > 0
      const nobody = NOBODY.has(this.phrase(at, 2)) ? 2 : NOBODY.has(word) ? 1 : 0
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
    const who = this.tokens.findIndex((_, at) => this.whoAt(at) > 0)
    if (who >= 0 && this.concepts.every(({ concept }) => concept.setting)) this.add({ ...this.people(who, 1) })
    return { concepts: this.concepts.map(({ concept }) => concept), not: this.not, places: this.places }
  }

  /** The number of words that ask for whoever it was. */
  private whoAt(at: number): number {
    return [1, 2].find((length) => WHO.has(this.phrase(at, length))) ?? 0
  }

  private phrase(at: number, length: number): string {
    return this.tokens
      .slice(at, at + length)
      .map(({ english }) => english)
      .join(' ')
  }

  private said(at: number, length: number): string {
    return this.tokens
      .slice(at, at + length)
      .map(({ said }) => said)
      .filter(Boolean)
      .join(' ')
  }

  private people(at: number, length: number): Read {
    const group = groupOf('person')
    return { length, concept: group ? { ...ofGroup(['person'], group, ''), said: this.said(at, length) } : null }
  }

  private add({ concept, group }: Read, isOr = false): void {
    if (!concept) return
    const last = this.concepts.at(-1)
    if (isOr && last) last.concept = eitherOf(last.concept, concept)
    else {
      const same = group && this.concepts.find((one) => one.group === group)
      if (same) same.concept = { ...eitherOf(same.concept, concept), said: same.concept.said }
      else this.concepts.push({ concept, group })
    }
  }

  private exclude(concept: Concept, isOr: boolean): void {
    const last = this.not.at(-1)
    if (isOr && last) this.not[this.not.length - 1] = eitherOf(last, concept)
    else this.not.push(concept)
  }

  /** The longest phrase at this place that means something, or the one word there. */
  private readAt(at: number): Read {
    const who = this.whoAt(at)
    if (who > 0) return { length: who, concept: null }
    for (let length = Math.min(PHRASE_MAX, this.tokens.length - at); length > 0; length--) {
      const phrase = this.phrase(at, length)
      const said = this.said(at, length)
      if (FILLER_PHRASES.has(phrase)) return { length, concept: null }
      const placed = this.placed(phrase, said)
      if (placed) return { length, ...placed }
      if (length === 1 && (FILLER.has(phrase) || NEGATIONS.has(phrase) || phrase === 'or')) return nothing
      const counted = length === 1 ? this.counted(at) : null
      if (counted) return counted
      const group = groupOf(phrase)
      if (group) return { length, concept: ofGroup([phrase], group, said), group }
    }
    const { english = '', said = '' } = this.tokens[at] ?? {}
    return said === '' ? nothing : { length: 1, concept: conceptOf({ said, asked: asAsked(english, said) }) }
  }

  /** Cameras whose name is the phrase, or has a word for the place that it names, and those that their owner gave it to; or the area that it names. */
  private placed(phrase: string, said: string): Omit<Read, 'length'> | null {
    const { devices: called, words } = camerasCalled(phrase, this.cameras)
    const area = AREAS.find(({ words }) => words.includes(phrase))
    if (called.length > 0) {
      const given = this.cameras.filter(({ areas }) => area && areas?.includes(area.id))
      const devices = [...new Set([...called, ...given.map(({ device_id }) => device_id)])]
      return { concept: conceptOf({ said, asked: [phrase], like: words, devices, setting: true }) }
    }
    if (!area) return null
    const there = new Set(this.cameras.filter((camera) => isIn(camera, area)).map(({ device_id }) => device_id))
    return there.size > 0
      ? { concept: conceptOf({ said, devices: [...there], setting: true }) }
      : { concept: null, unplaced: said }
  }

  /** `two people`: a number before what can be counted is a concept beside it. */
  private counted(at: number): Read | null {
    const number = NUMBERS.find((words) => words.includes(this.phrase(at, 1)))
    if (!number) return null
    // `two red cars` are two cars.
    const [beside] = this.countable(at + 1)
    const [next, from] = beside?.look ? [this.countable(at + 2)[0], 1] : [beside, 2]
    if (!next) return { length: 1, concept: null }
    const [spelt = '', figure = ''] = number
    const counts = (count: string, things: readonly string[]) =>
      things.filter((word) => !word.includes(' ')).map((thing) => `${count} ${thing}`)
    const [first = '', ...like] = [...counts(spelt, likeOf(next)), ...counts(figure, distinct(next.words))]
    return { length: 1, concept: conceptOf({ said: this.said(at, from), asked: [first], like }) }
  }

  private countable(at: number): Group[] {
    return [2, 1].flatMap((length) => groupOf(this.phrase(at, length)) ?? [])
  }
}

/** The words as they were asked: in English, and in the language of the question where that is another. */
const asAsked = (english: string, said: string) => [...new Set([english, said].filter(Boolean))]

const likes = new Map<Group, readonly string[]>()

/** What a group finds; worked out once. */
function likeOf(group: Group): readonly string[] {
  const like = likes.get(group) ?? distinct([...new Set([...group.words, ...(group.also ?? [])])])
  likes.set(group, like)
  return like
}

const fillerStems = new Set([...FILLER].map(stemOf))

/** Whether the index cannot tell what asks for a group from a word that says nothing: `ate` from `at`. */
const isLost = (phrase: string, { asks }: Group) => asks?.includes(phrase) === true && fillerStems.has(stemOf(phrase))

function ofGroup(phrases: readonly string[], group: Group, said: string): Concept {
  const asked = [...new Set([...phrases, said])].filter((phrase) => phrase !== '' && !isLost(phrase, group))
  const like = likeOf(group).filter((word) => !asked.includes(word))
  return conceptOf({
    ...{ said, asked, like, tags: group.tags ?? [] },
    ...{ setting: group.setting ?? false, loose: group.loose ?? false, look: group.look ?? false },
  })
}

/** Cameras that a phrase means, and other words for the place: a clip of another camera may say them. */
function camerasCalled(phrase: string, cameras: readonly NamedCamera[]) {
  const joined = phrase.replaceAll(' ', '')
  const named = cameras.filter(({ name }) => wordsOf(name).join('') === joined)
  const place = PLACES.find((words) => words.some((word) => word === phrase))
  const there = place === undefined ? [] : cameras.filter(({ name }) => place.some((word) => hasPhrase(name, word)))
  return {
    devices: [...new Set([...named, ...there].map(({ device_id }) => device_id))],
    words: (place ?? []).filter((word) => word !== phrase),
  }
}

const isIn = ({ name, areas }: NamedCamera, { id, names }: Area) =>
  areas?.includes(id) ?? names.some((word) => hasPhrase(name, word))

const hasPhrase = (name: string, phrase: string) => ` ${wordsOf(name).join(' ')} `.includes(` ${phrase} `)

/** A question as it counts for feedback: its words in any order, without those that say nothing. */
export function wordsKey(question: string): string {
  const words = wordsOf(question)
  const telling = words.filter((word) => !FILLER.has(word))
  return [...new Set(telling.length > 0 ? telling : words)].sort().join(' ')
}
