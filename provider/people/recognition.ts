import { createHmac, randomBytes } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS, TAG_OF_WORD } from '../../contract/events/event-tags.ts'
import { NOBODY, toToken, withoutMarks } from './person-token.ts'

/** Most people of one home. A recognizer that reports more than these is not believed. */
export const PEOPLE_MAX = 2000

export type Recognition = {
  is_on: number
  guests: number
  /** New people take the name that a camera reports: in homes with demo data, until somebody is forgotten. */
  takes_names: number
  /** Key of the hashes of faces, hex. */
  salt: string
}

/** Reads the settings of a home. A home with demo data starts with recognition switched on. */
export function readRecognition(sql: SqlStorage, isDemo = false): Recognition {
  const rows = sql.exec<Recognition>('SELECT is_on, guests, takes_names, salt FROM recognition').toArray()
  const on = isDemo ? 1 : 0
  return rows[0] ?? { is_on: on, guests: 0, takes_names: on, salt: '' }
}

/** Writes the settings of a home and returns them. */
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

/** Words for things and sounds in lower case. */
const WORDS: ReadonlySet<string> = new Set(
  [...Object.keys(TAG_OF_WORD), ...EVENT_TAGS.map(({ name }) => name)].map((word) => word.toLowerCase()),
)
export const isWord = (value: string): boolean => WORDS.has(value.trim().toLowerCase())

const IDENTIFIER = 'face:'
/** A value that can stand in a sentence as a name: it begins with a capital, or a letter of a script without case. */
const isName = (value: string): boolean => /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(value.trim())
/** True for values that identify a person (OPEN-64): an identifier such as `face:3f2a`, or a name. Others are detected things. */
export const isPerson = (value: string): boolean =>
  value.trim().startsWith(IDENTIFIER) || (isName(value) && !isWord(value))

/** Values and texts of an event, as a camera or a describer reports them. */
export interface Report {
  readonly values: readonly string[]
  readonly texts: readonly string[]
}

/** The same with people as tokens. */
export interface Recognized {
  readonly values: string[]
  readonly texts: string[]
}

/**
 * Returns the report with people as tokens. New faces become new people. With recognition off, nobody is identified and the
 * names that the values list are removed from the texts.
 */
export function recognize(sql: SqlStorage, { values, texts }: Report, isDemo: boolean, now: number): Recognized {
  const clean = values.map(withoutMarks).filter((value) => value.trim() !== '')
  const faces = [...new Set(clean.filter(isPerson))]
  if (faces.length === 0) return { values: clean, texts: texts.map(withoutMarks) }
  const persons = new Map(identifyFaces(sql, faces, isDemo, now))
  const tokens = [...persons.values()].filter((person) => person !== NOBODY).map(toToken)
  return {
    values: [...clean.filter((value) => !isPerson(value)), ...new Set(tokens)],
    texts: texts.map((text) => mentioned(withoutMarks(text), persons)),
  }
}

/** The number of the person of each face; `NOBODY` with recognition off. */
function identifyFaces(sql: SqlStorage, faces: readonly string[], isDemo: boolean, now: number): [string, number][] {
  let settings = readRecognition(sql, isDemo)
  if (settings.is_on === 0) return faces.map((face) => [face, NOBODY])
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

/** Adds a person; `NOBODY` if the home has too many. Numbers are never used twice. */
export function addPerson(sql: SqlStorage, name: string | null, face: string | null, now: number): number {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM people').one()
  if (n >= PEOPLE_MAX) return NOBODY
  const { person } = sql
    .exec<{ person: number }>(`UPDATE recognition SET last_person = last_person + 1 RETURNING last_person AS person`)
    .one()
  sql.exec('INSERT INTO people (person, name, added_at) VALUES (?, ?, ?)', person, name, now)
  if (face !== null) sql.exec('INSERT INTO people_faces (face, person) VALUES (?, ?)', face, person)
  return person
}

/** Replaces each name by the token of its person, word by word. */
export function mentioned(text: string, persons: ReadonlyMap<string, number>): string {
  let result = text
  for (const [label, person] of [...persons].sort(([a], [b]) => b.length - a.length))
    if (isName(label)) result = result.replace(wholeWordPattern(label.trim()), toToken(person))
  return result
}

/** Matches a name where no letter or digit is beside it. */
function wholeWordPattern(name: string): RegExp {
  const literal = name.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
}
