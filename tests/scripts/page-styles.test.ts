import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const src = new URL('../../src/', import.meta.url).pathname
/** Folders whose code is part of no page, of all, or of one. */
const APART = ['islands', 'pages', 'styles']

test.each(['live', 'events'])('the sheet of /%s looks for utilities in all code that every page may have', (page) => {
  const sources = [...readFileSync(`${src}styles/${page}-page.css`, 'utf8').matchAll(/@source '\.\.\/(.+)';/g)]
  const folders = readdirSync(src, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
  const everywhere = folders.filter((name) => !APART.includes(name)).toSorted()
  expect(sources.map(([, source]) => source)).toEqual([`{${everywhere.join(',')}}`, `islands/${page}`])
})
