import { createHmac, randomBytes } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS, TAG_ID_BY_SCENE_WORD } from '../../contract/events/event-tags.ts'
import { UNRECOGNIZED_PERSON, toPersonToken, removeTokenMarks } from './person-token.ts'

/** Maximum people per home, in case a faulty recognizer reports too many. */
export const MAX_PEOPLE = 2000

export type RecognitionSettings = {
  is_on: number
  guests: number
  /**
   * 1 if a new person gets the name that a camera reports. Initially 1 only in homes with demo data; deleting a person
   * sets it to 0.
   */
  takes_names: number
  /** HMAC key of the face hashes, hex; '' if no settings are stored yet. */
  salt: string
}

/**
 * Reads the recognition settings of a home. If none are stored, returns defaults: recognition is on only if `isDemo` is
 * true.
 */
export function readRecognition(sql: SqlStorage, isDemo = false): RecognitionSettings {
  const rows = sql.exec<RecognitionSettings>('SELECT is_on, guests, takes_names, salt FROM recognition').toArray()
  const on = isDemo ? 1 : 0
  return rows[0] ?? { is_on: on, guests: 0, takes_names: on, salt: '' }
}

/** Stores the recognition settings of a home and returns them. The first call creates the key for the face hashes. */
export function storeRecognition(sql: SqlStorage, settings: Omit<RecognitionSettings, 'salt'>): RecognitionSettings {
  sql.exec(
    `INSERT INTO recognition (one, is_on, guests, takes_names, salt) VALUES (1, ?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET is_on = ?1, guests = ?2, takes_names = ?3`,
    settings.is_on,
    settings.guests,
    settings.takes_names,
    randomBytes(16).toString('hex'),
  )
  return readRecognition(sql)
}

/** Names of things and sounds in lower case. A value in this set is not a person's name. */
const TAG_WORDS: ReadonlySet<string> = new Set(
  [...Object.keys(TAG_ID_BY_SCENE_WORD), ...EVENT_TAGS.map(({ name }) => name)].map((word) => word.toLowerCase()),
)
export const isTagWord = (value: string): boolean => TAG_WORDS.has(value.trim().toLowerCase())

const FACE_ID_PREFIX = 'face:'
/** Returns true if a value can be a name. The first letter must be a capital, or belong to a script without case. */
const canBeName = (value: string): boolean => /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(value.trim())
/**
 * Returns true if a value identifies a person (OPEN-64): a name, or a face id such as `face:3f2a`. All other values are
 * detected things.
 */
export const isPersonValue = (value: string): boolean =>
  value.trim().startsWith(FACE_ID_PREFIX) || (canBeName(value) && !isTagWord(value))

export interface ReportedEventTexts {
  readonly values: readonly string[]
  readonly texts: readonly string[]
}

export interface RecognizedEventTexts {
  readonly values: string[]
  readonly texts: string[]
}

/**
 * Replaces people in an event report by tokens. If recognition is on, each new face becomes a new person. For an
 * unrecognized person, `values` has no entry, and `texts` contain the token of `UNRECOGNIZED_PERSON`.
 */
export function recognizePeople(
  sql: SqlStorage,
  { values, texts }: ReportedEventTexts,
  isDemo: boolean,
  now: number,
): RecognizedEventTexts {
  const cleanValues = values.map(removeTokenMarks).filter((value) => value.trim() !== '')
  const faces = [...new Set(cleanValues.filter(isPersonValue))]
  if (faces.length === 0) return { values: cleanValues, texts: texts.map(removeTokenMarks) }
  const persons = new Map(identifyFaces(sql, faces, isDemo, now))
  const tokens = [...persons.values()].filter((person) => person !== UNRECOGNIZED_PERSON).map(toPersonToken)
  return {
    values: [...cleanValues.filter((value) => !isPersonValue(value)), ...new Set(tokens)],
    texts: texts.map((text) => replaceNamesByTokens(removeTokenMarks(text), persons)),
  }
}

/**
 * Returns pairs of face and person number. The number is `UNRECOGNIZED_PERSON` if recognition is off, or for a new face
 * if the home has `MAX_PEOPLE`.
 */
function identifyFaces(sql: SqlStorage, faces: readonly string[], isDemo: boolean, now: number): [string, number][] {
  let settings = readRecognition(sql, isDemo)
  if (settings.is_on === 0) return faces.map((face) => [face, UNRECOGNIZED_PERSON])
  if (settings.salt === '') settings = storeRecognition(sql, settings)
  return faces.map((face) => [face, identifyFace(sql, face, settings, now)])
}

function identifyFace(sql: SqlStorage, label: string, { salt, takes_names }: RecognitionSettings, now: number): number {
  const face = createHmac('sha256', salt).update(label.trim().toLowerCase()).digest('base64url')
  const rows = sql.exec<{ person: number }>('SELECT person FROM people_faces WHERE face = ?', face).toArray()
  if (rows[0]) return rows[0].person
  const name = takes_names === 1 && canBeName(label) ? label.trim().slice(0, 60) : null
  return addPerson(sql, name, face, now)
}

/**
 * Adds a person and returns its number, or `UNRECOGNIZED_PERSON` if the home has `MAX_PEOPLE`. Never reuses a number.
 */
export function addPerson(sql: SqlStorage, name: string | null, face: string | null, now: number): number {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM people').one()
  if (n >= MAX_PEOPLE) return UNRECOGNIZED_PERSON
  const { person } = sql
    .exec<{ person: number }>(`UPDATE recognition SET last_person = last_person + 1 RETURNING last_person AS person`)
    .one()
  sql.exec('INSERT INTO people (person, name, added_at) VALUES (?, ?, ?)', person, name, now)
  if (face !== null) sql.exec('INSERT INTO people_faces (face, person) VALUES (?, ?)', face, person)
  return person
}

/** Replaces each whole-word occurrence of a name by the person's token. Replaces longer names first. */
export function replaceNamesByTokens(text: string, persons: ReadonlyMap<string, number>): string {
  let result = text
  for (const [label, person] of [...persons].sort(([a], [b]) => b.length - a.length))
    if (canBeName(label)) result = result.replace(wholeWordPattern(label.trim()), toPersonToken(person))
  return result
}

function wholeWordPattern(name: string): RegExp {
  const literal = name.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
}
