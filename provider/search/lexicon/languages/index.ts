import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { HINDI } from './hindi.ts'
import { SPANISH } from './spanish.ts'

/** Tables of the languages besides English. A new one is a file more: on each line what it is in English, then the words for it. */
export const LANGUAGES: Readonly<Record<string, string>> = { de: GERMAN, es: SPANISH, fr: FRENCH, hi: HINDI }
