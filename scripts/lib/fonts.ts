import { readFile } from 'node:fs/promises'
import subset from 'subset-font'

/** Folder of both font files, relative to the project root. */
export const FONT_FOLDER = 'src/styles/fonts'
const SOURCE_FONT = 'node_modules/@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2'
const WEIGHTS = { wght: { min: 400, max: 800 } }

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)).join('')
/** Non-ASCII characters of the portal's own text, including prices and degrees. */
const BASIC_CHARACTERS = '\u00a0©°·×–—‘’“”•…\u202f‹›€−↑↓'
const LATIN_1 = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0xa1 + index)).join('')
/** Additional characters that occur in names of people and places. */
const OTHER_CHARACTERS = 'ıŒœʻʼˆ˚˜„‚†‡™\u0304\u0308\u0329'

/**
 * Characters of each font file, by file name. Every page loads `basic`; a page loads `latin` when a name needs it
 * (`unicode-range` in base.css).
 */
const FONT_FILES = {
  'nunito-basic.woff2': ASCII + BASIC_CHARACTERS,
  'nunito-latin.woff2': [...(LATIN_1 + OTHER_CHARACTERS)].filter((sign) => !BASIC_CHARACTERS.includes(sign)).join(''),
}

/** Returns both font files as WOFF2, by file name. Throws if the package of the typeface is not installed. */
export async function makeFonts(root: string): Promise<Map<string, Buffer>> {
  const whole = await readFile(root + SOURCE_FONT)
  const made = new Map<string, Buffer>()
  for (const [name, text] of Object.entries(FONT_FILES))
    made.set(name, await subset(whole, text, { targetFormat: 'woff2', variationAxes: WEIGHTS }))
  return made
}

/** Returns the `unicode-range` of the `latin` font file. Adjacent characters form one range. */
export function formatUnicodeRange(): string {
  const points = [...FONT_FILES['nunito-latin.woff2']].map((sign) => sign.codePointAt(0) ?? 0).sort((a, b) => a - b)
  const spans: [number, number][] = []
  for (const point of points) {
    const last = spans.at(-1)
    if (last?.[1] === point - 1) last[1] = point
    else spans.push([point, point])
  }
  const hex = (point: number) => point.toString(16)
  return spans.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(', ')
}
