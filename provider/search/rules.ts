import { meantBy } from './typos.ts'
import { GROUPS, PLACES, STOP_WORDS, type Group } from './words.ts'

/** One thing that a query asks for. Something matches it when any of its parts does. */
export interface Concept {
  /** The words as they were asked, and the phrases that mean the same; the index compares their stems. */
  readonly asked: readonly string[]
  readonly like: readonly string[]
  readonly tags: readonly string[]
  readonly devices: readonly string[]
  /** See `Group`. */
  readonly setting: boolean
}

/** A camera as it is called now. */
export interface NamedCamera {
  readonly device_id: string
  readonly name: string
}

/** More concepts than that are not looked for. */
const CONCEPTS_MAX = 10
/** Words of the longest phrase. */
const PHRASE_MAX = 4

/** Signs of English alone; most texts have no others. */
const PLAIN = /^[\x20-\x7e]*$/

/** Words as the index has them: lower case, without accents. */
export function wordsOf(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Spellings of a word that this table has it under: as it is, and without the endings of the plural and of verbs. */
function spellings(word: string): string[] {
  const endings: [RegExp, string][] = [
    [/ies$/, 'y'],
    [/es$/, ''],
    [/s$/, ''],
    [/ing$/, ''],
    [/ing$/, 'e'],
    [/ed$/, ''],
    [/ed$/, 'e'],
  ]
  const stems = endings.flatMap(([end, put]) => (end.test(word) ? [word.replace(end, put)] : []))
  return [word, ...stems.filter((stem) => stem.length > 2)]
}

const byPhrase = new Map<string, Group>()
for (const group of GROUPS)
  for (const words of group.words)
    for (const spelling of spellings(words)) if (!byPhrase.has(spelling)) byPhrase.set(spelling, group)

function groupOf(phrase: string): Group | undefined {
  for (const spelling of spellings(phrase)) {
    const found = byPhrase.get(spelling)
    if (found) return found
  }
  return undefined
}

/** What a query asks for, in its order. `cameras`: those that may be meant by their names. */
export function understand(query: string, cameras: readonly NamedCamera[]): Concept[] {
  const words = wordsOf(query)
  const concepts: (Concept & { group?: Group | undefined })[] = []
  for (let at = 0; at < words.length && concepts.length < CONCEPTS_MAX;) {
    const { length, concept, group } = read(words, at, cameras)
    at += length
    if (concept === null) continue
    const same = group && concepts.find((one) => one.group === group)
    if (same) concepts[concepts.indexOf(same)] = { ...same, asked: [...new Set([...same.asked, ...concept.asked])] }
    else concepts.push({ ...concept, group })
  }
  return concepts.map(({ group: _, ...concept }) => concept)
}

interface Read {
  readonly length: number
  readonly concept: Concept | null
  readonly group?: Group | undefined
}

/** The longest phrase at this place that means something, or the one word there. */
function read(words: readonly string[], at: number, cameras: readonly NamedCamera[]): Read {
  for (let length = Math.min(PHRASE_MAX, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).join(' ')
    const devices = camerasCalled(phrase, cameras)
    if (devices.length > 0) return { length, concept: { ...plain(phrase), devices, setting: true } }
    if (length === 1 && STOP_WORDS.has(phrase)) return { length, concept: null }
    const group = groupOf(phrase)
    if (group) return { length, concept: ofGroup(phrase, group), group }
  }
  return { length: 1, concept: plain(words[at] ?? '') }
}

const plain = (phrase: string): Concept => ({ asked: [phrase], like: [], tags: [], devices: [], setting: false })

function ofGroup(phrase: string, group: Group): Concept {
  const like = [...new Set([...group.words, ...(group.also ?? [])])].filter((word) => word !== phrase)
  return { asked: [phrase], like, tags: group.tags ?? [], devices: [], setting: group.setting ?? false }
}

/** Cameras whose name is the phrase, or has a word for the place that it names. */
function camerasCalled(phrase: string, cameras: readonly NamedCamera[]): string[] {
  const joined = phrase.replaceAll(' ', '')
  const named = cameras.filter(({ name }) => wordsOf(name).join('') === joined)
  const place = PLACES.find((words) => words.some((word) => word === phrase))
  const there = place === undefined ? [] : cameras.filter(({ name }) => place.some((word) => hasPhrase(name, word)))
  return [...new Set([...named, ...there].map(({ device_id }) => device_id))]
}

const hasPhrase = (name: string, phrase: string) => ` ${wordsOf(name).join(' ')} `.includes(` ${phrase} `)

/** Whether a concept is a word that means nothing but itself. */
export const isPlain = ({ like, tags, devices }: Concept) => like.length + tags.length + devices.length === 0

/** What is meant by a word that nothing matches: a word that has a meaning here, or one that `vocabulary` has; null: nothing is known. */
export function mended(concept: Concept, vocabulary: (initial: string) => readonly string[]): Concept | null {
  const word = concept.asked[0] ?? ''
  const meant = meantBy(word, byPhrase.keys()) ?? meantBy(word, vocabulary(word.slice(0, 1)))
  if (meant === null) return null
  const group = groupOf(meant)
  return group ? ofGroup(meant, group) : plain(meant)
}

/** A query as it counts for feedback: its words in any order, without those that say nothing. */
export function wordsKey(query: string): string {
  const words = wordsOf(query)
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return [...new Set(telling.length > 0 ? telling : words)].sort().join(' ')
}

/** Each word in quotation marks, where it means only itself: nothing of a query is ever read as syntax of the index. */
const quoted = (phrase: string) => `"${wordsOf(phrase).join(' ')}"`
const anyOf = (phrases: readonly string[]) => `(${phrases.map(quoted).join(' OR ')})`

/** The question for the index whether a column has any of the words. */
export const columnOf = (column: 'tags' | 'device_id', words: readonly string[]) => `${column} : ${anyOf(words)}`

/** How many times a word that was asked for counts as much as one that means the same. */
export const AS_ASKED = 2

/** The question for the index that a concept is. */
export function matchOf({ asked, like, tags, devices }: Concept): string {
  if (devices.length > 0) return columnOf('device_id', devices)
  const words = [...asked, ...like]
  const text = words.length > 0 ? [`({title moments labels} : ${anyOf(words)})`] : []
  return [...text, ...(tags.length > 0 ? [`(${columnOf('tags', tags)})`] : [])].join(' OR ')
}

const isWord = (phrase: string) => wordsOf(phrase).length < 2

/** The concept without its phrases of several words, for which the index has to look through all that have each of the words. */
export const inWords = (concept: Concept): Concept => ({
  ...concept,
  asked: concept.asked.filter(isWord),
  like: concept.like.filter(isWord),
})

/** How many phrases of several words the concept has. */
export const phrasesIn = ({ asked, like }: Concept): number => [...asked, ...like].filter((one) => !isWord(one)).length
