import { EVENT_TAGS, TAG_OF_WORD } from '../../contract/event-tags.ts'

/** Values that name what is seen or heard, in lower case; the others are names of people (OPEN-64). */
export const TAG_WORDS: ReadonlySet<string> = new Set(
  [...Object.keys(TAG_OF_WORD), ...EVENT_TAGS.map(({ name }) => name)].map((word) => word.toLowerCase()),
)

export const isTagWord = (value: string): boolean => TAG_WORDS.has(value.toLowerCase())
