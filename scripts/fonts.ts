/**
 * Regenerates both font files from the npm package of the typeface (docs/decisions/0075). Run this script after an
 * update of the package or a change of the characters in use.
 */
import { writeFileSync } from 'node:fs'
import { FONT_FOLDER, makeFonts, formatUnicodeRange } from './lib/fonts.ts'

const root = new URL('..', import.meta.url).pathname
for (const [name, font] of await makeFonts(root)) {
  writeFileSync(`${root}${FONT_FOLDER}/${name}`, font)
  console.log(`${FONT_FOLDER}/${name}: ${(font.length / 1024).toFixed(1)} KiB`)
}
console.log(`unicode-range for the second font in src/styles/base.css: ${formatUnicodeRange()}`)
