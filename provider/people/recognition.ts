import { createHmac, randomBytes } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS, TAG_OF_WORD } from '../../contract/events/event-tags.ts'
import { UNRECOGNIZED_PERSON, toToken, withoutMarks } from './person-token.ts'

/** Maximum number of people per home, against a faulty recognizer. */
export const PEOPLE_MAX = 2000

export type Recognition = {
  is_on: number
  guests: number
  /** 1 if new people get the name that a camera reports: in homes with demo data, until a person is deleted. */
  takes_names: number
  /** Key of the face hashes, hex. */
  salt: string
}

/** Reads the settings of a home. Recognition is initially on in homes with demo data. */
export function readRecognition(sql: SqlStorage, isDemo = false): Recognition {
  const rows = sql.exec<Recognition>('SELECT is_on, guests, takes_names, salt FROM recognition').toArray()
  const on = isDemo ? 1 : 0
  return rows[0] ?? { is_on: on, guests: 0, takes_names: on, salt: '' }
}

/** Stores the settings of a home and returns them. The first call creates the key of the face hashes. */
export function putRecognition(sql: SqlStorage, changed: Omit<Recognition, 'salt'>): Recognition {
  sql.exec(
    `INSERT INTO recognition (one, is_on, guests, takes_names, salt) VALUES (1, ?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET is_on = ?1, guests = ?2, takes_names = ?3`,
    changed.is_on,
    changed.guests,
    changed.takes_names,
    randomBytes(16).toString('hex'),
  )
  return readRecognition(sql)
}

/** Lower-case words for things and sounds. */
const WORDS: ReadonlySet<string> = new Set(
  [...Object.keys(TAG_OF_WORD), ...EVENT_TAGS.map(({ name }) => name)].map((word) => word.toLowerCase()),
)
export const isWord = (value: string): boolean => WORDS.has(value.trim().toLowerCase())

const IDENTIFIER = 'face:'
/** True if a value can be a name in a sentence: it starts with a capital, or a letter of a script without case. */
const isName = (value: string): boolean => /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(value.trim())
/**
 * Returns true for values that identify a person (OPEN-64): an identifier such as `face:3f2a`, or a name. Others are
 * detected things.
 */
export const isPerson = (value: string): boolean =>
  value.trim().startsWith(IDENTIFIER) || (isName(value) && !isWord(value))

export interface Report {
  readonly values: readonly string[]
  readonly texts: readonly string[]
}

export interface Recognized {
  readonly values: string[]
  readonly texts: string[]
}

/**
 * Returns the report with people replaced by tokens. New faces become new people. If recognition is off, people stay
 * unidentified, and the names in `values` are removed from the texts.
 */
export function recognize(sql: SqlStorage, { values, texts }: Report, isDemo: boolean, now: number): Recognized {
  const clean = values.map(withoutMarks).filter((value) => value.trim() !== '')
  const faces = [...new Set(clean.filter(isPerson))]
  if (faces.length === 0) return { values: clean, texts: texts.map(withoutMarks) }
  const persons = new Map(identifyFaces(sql, faces, isDemo, now))
  const tokens = [...persons.values()].filter((person) => person !== UNRECOGNIZED_PERSON).map(toToken)
  return {
    values: [...clean.filter((value) => !isPerson(value)), ...new Set(tokens)],
    texts: texts.map((text) => mentioned(withoutMarks(text), persons)),
  }
}

/** Returns the person number of each face, or 0 (unknown) with recognition off. */
function identifyFaces(sql: SqlStorage, faces: readonly string[], isDemo: boolean, now: number): [string, number][] {
  let settings = readRecognition(sql, isDemo)
  if (settings.is_on === 0) return faces.map((face) => [face, UNRECOGNIZED_PERSON])
  if (settings.salt === '') settings = putRecognition(sql, settings)
  return faces.map((face) => [face, identifyFace(sql, face, settings, now)])
}

function identifyFace(sql: SqlStorage, label: string, { salt, takes_names }: Recognition, now: number): number {
  const face = createHmac('sha256', salt).update(label.trim().toLowerCase()).digest('base64url')
  const rows = sql.exec<{ person: number }>('SELECT person FROM people_faces WHERE face = ?', face).toArray()
  if (rows[0]) return rows[0].person
  const name = takes_names === 1 && isName(label) ? label.trim().slice(0, 60) : null
  return addPerson(sql, name, face, now)
}

/** Adds a person and returns its number, or 0 (unknown) if the home has `PEOPLE_MAX`. Numbers are never reused. */
export function addPerson(sql: SqlStorage, name: string | null, face: string | null, now: number): number {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM people').one()
  if (n >= PEOPLE_MAX) return UNRECOGNIZED_PERSON
  const { person } = sql
    .exec<{ person: number }>(`UPDATE recognition SET last_person = last_person + 1 RETURNING last_person AS person`)
    .one()
  sql.exec('INSERT INTO people (person, name, added_at) VALUES (?, ?, ?)', person, name, now)
  if (face !== null) sql.exec('INSERT INTO people_faces (face, person) VALUES (?, ?)', face, person)
  return person
}

/** Replaces each name that occurs as a whole word with the token of its person. Starts with the longest names. */
export function mentioned(text: string, persons: ReadonlyMap<string, number>): string {
  let result = text
  for (const [label, person] of [...persons].sort(([a], [b]) => b.length - a.length))
    if (isName(label)) result = result.replace(wholeWordPattern(label.trim()), toToken(person))
  return result
}

function wholeWordPattern(name: string): RegExp {
  const literal = name.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
}
