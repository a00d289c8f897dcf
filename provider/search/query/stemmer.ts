import { tokenize } from '../../platform/tokenize.ts'

/** Porter's stemmer (1980), as the index uses it: `walks`, `walking` and `walked` have one stem. */

const CONSONANT = '[^aeiou]'
const VOWEL = '[aeiouy]'
/** Runs of consonants and of vowels. `y` after a consonant is a vowel. */
const C = `${CONSONANT}[^aeiouy]*`
const V = `${VOWEL}[aeiou]*`

const measuresMoreThan0 = new RegExp(`^(${C})?${V}${C}`)
const measures1 = new RegExp(`^(${C})?${V}${C}(${V})?$`)
const measuresMoreThan1 = new RegExp(`^(${C})?${V}${C}${V}${C}`)
const hasVowel = new RegExp(`^(${C})?${VOWEL}`)
const endsShort = new RegExp(`^${C}${VOWEL}[^aeiouwxy]$`)
const endsDouble = /([^aeiouylsz])\1$/

const pairs = (text: string) => text.split(' ').map((pair) => pair.split('=') as [string, string])
const STEP_2 = pairs(
  'ational=ate tional=tion enci=ence anci=ance izer=ize bli=ble alli=al entli=ent eli=e ousli=ous ization=ize ation=ate ator=ate alism=al iveness=ive fulness=ful ousness=ous aliti=al iviti=ive biliti=ble logi=log',
)
const STEP_3 = pairs('icate=ic ative= alize=al iciti=ic ical=ic ful= ness=')
const STEP_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/

/** Maximum number of cached stems, which is more than the number of words in a home. */
const KEPT = 20_000
const stemCache = new Map<string, string>()

export function stemWord(word: string): string {
  const cached = stemCache.get(word)
  if (cached !== undefined) return cached
  if (stemCache.size >= KEPT) stemCache.clear()
  const stem = workedOut(word)
  stemCache.set(word, stem)
  return stem
}

function workedOut(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  return step5(step4(replaced(replaced(step1(word), STEP_2), STEP_3)))
}

function step1(word: string): string {
  let stem = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1')
  const without = /^(.*?)(?:ed|ing)$/.exec(stem)?.[1]
  if (stem.endsWith('eed')) {
    if (measuresMoreThan0.test(stem.slice(0, -3))) stem = stem.slice(0, -1)
  } else if (without !== undefined && hasVowel.test(without)) {
    stem = without
    if (/(at|bl|iz)$/.test(stem)) stem += 'e'
    else if (endsDouble.test(stem)) stem = stem.slice(0, -1)
    else if (measures1.test(stem) && endsShort.test(stem)) stem += 'e'
  }
  return stem.endsWith('y') && hasVowel.test(stem.slice(0, -1)) ? `${stem.slice(0, -1)}i` : stem
}

/** Replaces the first ending that matches. */
function replaced(word: string, endings: readonly (readonly [string, string])[]): string {
  const found = endings.find(([ending]) => word.endsWith(ending))
  if (!found) return word
  const stem = word.slice(0, -found[0].length)
  return measuresMoreThan0.test(stem) ? stem + found[1] : word
}

function step4(word: string): string {
  const stem = STEP_4.exec(word)?.[1]
  return stem !== undefined && measuresMoreThan1.test(stem) ? stem : word
}

function step5(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const without = stem.slice(0, -1)
    if (measuresMoreThan1.test(without) || (measures1.test(without) && !endsShort.test(without))) stem = without
  }
  return stem.endsWith('ll') && measuresMoreThan1.test(stem) ? stem.slice(0, -1) : stem
}

export const stemText = (text: string): string[] => tokenize(text).map(stemWord)
