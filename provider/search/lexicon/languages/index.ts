import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { HINDI } from './hindi.ts'
import { SPANISH } from './spanish.ts'

/** Lexicons of other languages. Each line of a table has the English phrase, a colon, and its translations. */
export const LEXICON_TABLES: Readonly<Record<string, string>> = { de: GERMAN, es: SPANISH, fr: FRENCH, hi: HINDI }
