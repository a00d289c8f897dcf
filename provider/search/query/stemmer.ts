import { tokenize } from '../../platform/tokenize.ts'

/** Porter stemmer (1980), like the search index: `walks`, `walking` and `walked` have the same stem. */

const CONSONANT = '[^aeiou]'
const VOWEL = '[aeiouy]'
/** Runs of consonants, and runs of vowels. `y` after a consonant is a vowel. */
const CONSONANT_RUN = `${CONSONANT}[^aeiouy]*`
const VOWEL_RUN = `${VOWEL}[aeiou]*`

const measuresMoreThan0 = new RegExp(`^(${CONSONANT_RUN})?${VOWEL_RUN}${CONSONANT_RUN}`)
const measures1 = new RegExp(`^(${CONSONANT_RUN})?${VOWEL_RUN}${CONSONANT_RUN}(${VOWEL_RUN})?$`)
const measuresMoreThan1 = new RegExp(`^(${CONSONANT_RUN})?${VOWEL_RUN}${CONSONANT_RUN}${VOWEL_RUN}${CONSONANT_RUN}`)
const hasVowel = new RegExp(`^(${CONSONANT_RUN})?${VOWEL}`)
const endsWithShortSyllable = new RegExp(`^${CONSONANT_RUN}${VOWEL}[^aeiouwxy]$`)
const endsWithDoubleConsonant = /([^aeiouylsz])\1$/

const parseEndingPairs = (text: string) => text.split(' ').map((pair) => pair.split('=') as [string, string])
const STEP_2_ENDINGS = parseEndingPairs(
  'ational=ate tional=tion enci=ence anci=ance izer=ize bli=ble alli=al entli=ent eli=e ousli=ous ization=ize ation=ate ator=ate alism=al iveness=ive fulness=ful ousness=ous aliti=al iviti=ive biliti=ble logi=log',
)
const STEP_3_ENDINGS = parseEndingPairs('icate=ic ative= alize=al iciti=ic ical=ic ful= ness=')
const STEP_4_PATTERN =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/

/** Maximum number of cached stems. A full cache is cleared. */
const STEM_CACHE_MAX = 20_000
const stemCache = new Map<string, string>()

export function stemWord(word: string): string {
  const cached = stemCache.get(word)
  if (cached !== undefined) return cached
  if (stemCache.size >= STEM_CACHE_MAX) stemCache.clear()
  const stem = computeStem(word)
  stemCache.set(word, stem)
  return stem
}

function computeStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  return step5(step4(replaceEnding(replaceEnding(step1(word), STEP_2_ENDINGS), STEP_3_ENDINGS)))
}

function step1(word: string): string {
  let stem = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1')
  const base = /^(.*?)(?:ed|ing)$/.exec(stem)?.[1]
  if (stem.endsWith('eed')) {
    if (measuresMoreThan0.test(stem.slice(0, -3))) stem = stem.slice(0, -1)
  } else if (base !== undefined && hasVowel.test(base)) {
    stem = base
    if (/(at|bl|iz)$/.test(stem)) stem += 'e'
    else if (endsWithDoubleConsonant.test(stem)) stem = stem.slice(0, -1)
    else if (measures1.test(stem) && endsWithShortSyllable.test(stem)) stem += 'e'
  }
  return stem.endsWith('y') && hasVowel.test(stem.slice(0, -1)) ? `${stem.slice(0, -1)}i` : stem
}

/** Replaces the first listed ending that the word has, if the rest of the word is long enough. */
function replaceEnding(word: string, endings: readonly (readonly [string, string])[]): string {
  const found = endings.find(([ending]) => word.endsWith(ending))
  if (!found) return word
  const stem = word.slice(0, -found[0].length)
  return measuresMoreThan0.test(stem) ? stem + found[1] : word
}

function step4(word: string): string {
  const stem = STEP_4_PATTERN.exec(word)?.[1]
  return stem !== undefined && measuresMoreThan1.test(stem) ? stem : word
}

function step5(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const base = stem.slice(0, -1)
    if (measuresMoreThan1.test(base) || (measures1.test(base) && !endsWithShortSyllable.test(base))) stem = base
  }
  return stem.endsWith('ll') && measuresMoreThan1.test(stem) ? stem.slice(0, -1) : stem
}

export const stemText = (text: string): string[] => tokenize(text).map(stemWord)
