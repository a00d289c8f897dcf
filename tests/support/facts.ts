import { PLAN_BRANDS } from '../../contract/brand.ts'

const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const UNIT = '(?:year|month|week|day|hour|h|minute|min|second|s|bit|[kK]B|MB|GB)'
const NUMBER = String.raw`(?<![\w.:/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`
const FACT_PATTERNS = [
  String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  '“[^”]*”',
  String.raw`(?<brand>[A-Z][A-Za-z]*) ·· (?<digits>\d{4})`,
  String.raw`(?<brand>Visa|Mastercard|Amex|Discover|Card) (?<digits>\d{4})\b`,
  String.raw`[\u2212-]?\$\d[\d,]*(?:\.\d\d)?`,
  String.raw`${NUMBER} ?%`,
  String.raw`\d{1,3}(?:\.(?:\d{1,3}|x)){3}`,
  String.raw`(?<day>\d{1,2}) ${MONTH}(?: (?<year>\d{4}))?`,
  String.raw`${MONTH} (?<day>\d{1,2})\b(?:, (?<year>\d{4}))?`,
  String.raw`\d{1,2}:\d\d(?::\d\d)?`,
  String.raw`${NUMBER} ${UNIT}s?\b`,
  String.raw`${NUMBER}(?!\w)`,
  String.raw`\bOne\b`,
]
const PLAN_NAMES = Object.entries(PLAN_BRANDS).flatMap(([sku, { name }]) => (sku === 'free' ? [] : [name]))

/**
 * Returns a regular expression for a name with its first letter in either case, because a sentence may start with the
 * name.
 */
function buildNamePattern(name: string): string {
  const [first = '', rest] = [name[0], name.slice(1)]
  return `[${first.toUpperCase()}${first.toLowerCase()}]${rest.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`
}

/**
 * Returns the facts of a text in order, without its prose. Facts are money, dates (`8 Aug 2026`), times, durations,
 * sizes, percentages, counts, cards (`Visa ·· 4242`), email and IP addresses, quoted words, plans and the given names.
 */
export function extractFacts(text: string, ...names: readonly string[]): string[] {
  const allNames = [...PLAN_NAMES, ...names].sort((a, b) => b.length - a.length)
  const name = String.raw`(?<name>(?<!\w)(?:${allNames.map(buildNamePattern).join('|')})(?!\w))`
  const found = text.replaceAll('\u00a0', ' ').matchAll(new RegExp([name, ...FACT_PATTERNS].join('|'), 'gu'))
  return [...found].map(({ 0: whole, groups = {} }) => {
    if (groups['name'] !== undefined)
      return allNames.find((candidate) => candidate.toLowerCase() === whole.toLowerCase()) ?? whole
    if (groups['brand'] !== undefined) return `${groups['brand']} ·· ${groups['digits']}`
    if (groups['month'] !== undefined) return [groups['day'], groups['month'], groups['year']].filter(Boolean).join(' ')
    return whole === 'One' ? '1' : whole
  })
}

/** Returns true if a text announces a refund. */
export const announcesRefund = (text: string): boolean =>
  /(?<!\b(?:no|nothing|not) )\b(?:comes? back|goes back|gives? back|given back|refund)/i.test(text)

/** Returns true if a text says that there is no charge. */
export const statesNoCharge = (text: string): boolean =>
  /\b(?:no(?: further)? charges?|nothing (?:more )?(?:is|was) charged|(?:is|was) not charged|(?:haven['’]t been|weren['’]t) charged|won['’]t be charged(?! twice))\b/i.test(
    text,
  )

/** Returns true if a text says that the result of a request is unknown. */
export const statesUnknownResult = (text: string): boolean =>
  /\bnot known\b|\b(?:can['’]t|cannot|couldn['’]t) (?:tell|confirm)\b/i.test(text)

/** Returns true if no text is blank and all texts differ. */
export const areDistinct = (texts: readonly string[]): boolean =>
  texts.every((text) => text.trim() !== '') && new Set(texts).size === texts.length
