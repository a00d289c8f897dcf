/**
 * Tokens for people. Stored texts contain tokens instead of names, so renaming or merging a person changes only one
 * row. The home replaces the tokens by names before it sends an event.
 */

/** Letter that no language uses today, but that the search index treats as part of a word. */
const TOKEN_MARK = '\uA66E'
/** Number in the token of a person who is not recognized or was deleted. */
export const UNRECOGNIZED_PERSON = 0

export const toPersonToken = (person: number): string => `${TOKEN_MARK}${person}${TOKEN_MARK}`
export const hasPersonToken = (text: string): boolean => text.includes(TOKEN_MARK)
export const parsePersonToken = (token: string): number => Number(token.slice(1, -1))
export const isPersonToken = (text: string): boolean => /^\uA66E\d+\uA66E$/.test(text)
/** Removes token marks from a text of a camera or describer, so that the text cannot forge a token. */
export const removeTokenMarks = (text: string): string => text.replaceAll(TOKEN_MARK, '')

/** Names by person number. A person without an entry has no visible name. */
export type PersonNames = ReadonlyMap<number, string>
export const NO_NAMES: PersonNames = new Map()

/**
 * Replaces the person tokens of a plain text by names. A token without a name becomes "someone"; a text that is only
 * such a token becomes "Person".
 */
export function insertNames(text: string, names: PersonNames): string {
  if (!hasPersonToken(text)) return text
  if (isPersonToken(text)) return names.get(parsePersonToken(text)) ?? 'Person'
  return replacePersonTokens(text, (person, at) => {
    const isFirst = /^$|[.!?]\s+$/.test(text.slice(Math.max(0, at - 3), at))
    return names.get(person) ?? (isFirst ? 'Someone' : 'someone')
  })
}

/** Replaces each person token of a text by the result of `getReplacement`. `at`: offset of the token in the text. */
export const replacePersonTokens = (text: string, getReplacement: (person: number, at: number) => string): string =>
  text.replace(/\uA66E(\d+)\uA66E/g, (_, person: string, at: number) => getReplacement(Number(person), at))

const JSON_STRING_PATTERN = '"(?:[^"\\\\]|\\\\.)*"'
const EVENT_JSON_PATTERN = new RegExp(
  `"device_id":(${JSON_STRING_PATTERN})|"event_values":(\\[(?:${JSON_STRING_PATTERN},?)*\\])|${JSON_STRING_PATTERN}`,
  'g',
)

/**
 * Replaces person tokens in the JSON of events by names. In each event, `device_id` must precede the texts, because it
 * selects the names. `initialNames`: names for texts before the first `device_id`.
 */
export function insertNamesInJson(
  json: string,
  getCameraNames: (deviceId: string) => PersonNames,
  initialNames: PersonNames = NO_NAMES,
): string {
  if (!hasPersonToken(json)) return json
  let names = initialNames
  return json.replace(EVENT_JSON_PATTERN, (found: string, device?: string, values?: string) => {
    if (device !== undefined) names = getCameraNames(JSON.parse(device) as string)
    if (!hasPersonToken(found)) return found
    if (values !== undefined) return `"event_values":${JSON.stringify(insertNamesInValues(values, names))}`
    return JSON.stringify(insertNames(JSON.parse(found) as string, names))
  })
}

function insertNamesInValues(json: string, names: PersonNames): string[] {
  const values = JSON.parse(json) as string[]
  const namedValues = values.flatMap((value) =>
    isPersonToken(value) ? (names.get(parsePersonToken(value)) ?? []) : [insertNames(value, names)],
  )
  return [...new Set(namedValues)]
}
