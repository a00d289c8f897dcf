/**
 * Stored texts mention people by token, never by name. Naming, merging and deleting a person then changes one row, and
 * each name is stored once. The home replaces tokens before an event leaves it.
 */

/** Letter that no written language uses today; the search index keeps it as part of a word. */
const MARK = '\uA66E'
/** Number of an unrecognized or deleted person. */
export const UNRECOGNIZED_PERSON = 0

export const toToken = (person: number): string => `${MARK}${person}${MARK}`
export const hasToken = (text: string): boolean => text.includes(MARK)
export const personOfToken = (token: string): number => Number(token.slice(1, -1))
export const isToken = (text: string): boolean => /^\uA66E\d+\uA66E$/.test(text)
/** Removes possible tokens from a text that a camera or describer sent. */
export const withoutMarks = (text: string): string => text.replaceAll(MARK, '')

/** Names by person number. A missing person is shown without a name. */
export type Names = ReadonlyMap<number, string>
export const NO_NAMES: Names = new Map()

/** Replaces the tokens of one plain text. A title that is only a token without a name becomes "Person". */
export function insertNames(text: string, names: Names): string {
  if (!hasToken(text)) return text
  if (isToken(text)) return names.get(personOfToken(text)) ?? 'Person'
  return replaceTokens(text, (person, at) => {
    const isFirst = /^$|[.!?]\s+$/.test(text.slice(Math.max(0, at - 3), at))
    return names.get(person) ?? (isFirst ? 'Somebody' : 'somebody')
  })
}

/** Replaces each token of a text by the result of `say`; `at` is its offset. */
export const replaceTokens = (text: string, say: (person: number, at: number) => string): string =>
  text.replace(/\uA66E(\d+)\uA66E/g, (_, person: string, at: number) => say(Number(person), at))

const STRING = '"(?:[^"\\\\]|\\\\.)*"'
const PLACES = new RegExp(`"device_id":(${STRING})|"event_values":(\\[(?:${STRING},?)*\\])|${STRING}`, 'g')

/**
 * Replaces tokens in the JSON of events. In each event, `device_id` must precede the texts, because it selects the
 * names. `first`: names for texts before the first `device_id`.
 */
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

/** Returns the values with names inserted. Omits duplicates and people who have no name in `names`. */
function insertNamesInValues(json: string, names: Names): string[] {
  const values = JSON.parse(json) as string[]
  const namedValues = values.flatMap((value) =>
    isToken(value) ? (names.get(personOfToken(value)) ?? []) : [insertNames(value, names)],
  )
  return [...new Set(namedValues)]
}
