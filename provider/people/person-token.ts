/**
 * Stored texts mention a person by a token, never by name: naming, merging and forgetting change one row, and a name is
 * stored in one place only. The home replaces tokens before an event leaves it.
 */

/** A letter that no written language uses today; the search index keeps it as part of a word. */
const MARK = '\uA66E'
/** Somebody whom nobody has recognized, or whom the owner has forgotten. */
export const NOBODY = 0

export const toToken = (person: number): string => `${MARK}${person}${MARK}`
export const hasToken = (text: string): boolean => text.includes(MARK)
/** Returns the number of the person of a token. */
export const personOfToken = (token: string): number => Number(token.slice(1, -1))
export const isToken = (text: string): boolean => /^\uA66E\d+\uA66E$/.test(text)
/** Removes what could pass for a token from a text that a camera or a describer has sent. */
export const withoutMarks = (text: string): string => text.replaceAll(MARK, '')

/** Names by number of the person. Everyone who is missing is "somebody". */
export type Names = ReadonlyMap<number, string>
export const NO_NAMES: Names = new Map()

/** Replaces the tokens of one plain text; a title that is nothing but a token becomes "Person" without a name. */
export function insertNames(text: string, names: Names): string {
  if (!hasToken(text)) return text
  if (isToken(text)) return names.get(personOfToken(text)) ?? 'Person'
  return replaceTokens(text, (person, at) => {
    const isFirst = /^$|[.!?]\s+$/.test(text.slice(Math.max(0, at - 3), at))
    return names.get(person) ?? (isFirst ? 'Somebody' : 'somebody')
  })
}

/** Replaces each token of a text by the result of `say`; `at`: its place in the text. */
export const replaceTokens = (text: string, say: (person: number, at: number) => string): string =>
  text.replace(/\uA66E(\d+)\uA66E/g, (_, person: string, at: number) => say(Number(person), at))

/** A JSON string: the quotation marks and what is between them. */
const STRING = '"(?:[^"\\\\]|\\\\.)*"'
const PLACES = new RegExp(`"device_id":(${STRING})|"event_values":(\\[(?:${STRING},?)*\\])|${STRING}`, 'g')

/** Replaces the tokens in the JSON of events, each of which has its `device_id` before its texts; `first`: names before any. */
export function insertNamesInJson(json: string, namesAt: (deviceId: string) => Names, first: Names = NO_NAMES): string {
  if (!hasToken(json)) return json
  let names = first
  return json.replace(PLACES, (found: string, device?: string, values?: string) => {
    if (device !== undefined) names = namesAt(JSON.parse(device) as string)
    if (!hasToken(found)) return found
    if (values !== undefined) return `"event_values":${JSON.stringify(insertNamesInValues(values, names))}`
    return JSON.stringify(insertNames(JSON.parse(found) as string, names))
  })
}

/** Values without the people who have no name here; two people of one name are one value. */
function insertNamesInValues(json: string, names: Names): string[] {
  const values = JSON.parse(json) as string[]
  const namedValues = values.flatMap((value) =>
    isToken(value) ? (names.get(personOfToken(value)) ?? []) : [insertNames(value, names)],
  )
  return [...new Set(namedValues)]
}
