import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FONT_FOLDER, makeFonts, formatUnicodeRange } from '../../../scripts/lib/fonts.ts'

const root = new URL('../../..', import.meta.url).pathname

test('the font files that pages get equal the output of their package', async () => {
  const made = await makeFonts(root)
  expect([...made.keys()]).toEqual(['nunito-basic.woff2', 'nunito-latin.woff2'])
  for (const [name, font] of made) expect(font.equals(readFileSync(`${root}${FONT_FOLDER}/${name}`)), name).toBe(true)
})

test('the styles name exactly the characters of the second font file', () => {
  const styles = readFileSync(`${root}src/styles/base.css`, 'utf8')
  const named = /unicode-range:([^;]+);/.exec(styles)?.[1]
  expect(named?.trim().replace(/\s+/g, ' ')).toBe(formatUnicodeRange())
})
