import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const src = new URL('../../src/', import.meta.url).pathname
const VIDEO_PAGES = ['events', 'live']
/**
 * Folders that the style sheets do not scan as shared code, because their files belong to one page, to all pages or to
 * none.
 */
const APART = ['islands', 'pages', 'styles']

const found = (file: string, pattern: RegExp) =>
  [...readFileSync(`${src}${file}`, 'utf8').matchAll(pattern)].map(([, name = '']) => name)
const mounted = (page: string) => found(`pages/${page}.astro`, /from '\.\.\/(islands\/[\w-]+)\//g)

test.each(VIDEO_PAGES)('the style sheet of /%s scans its islands and the code that every page may have', (page) => {
  const folders = readdirSync(src, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  const everywhere = folders.filter((name) => !APART.includes(name)).toSorted()
  expect(mounted(page)).toContain(`islands/${page}`)
  expect(found(`styles/${page}-page.css`, /@source '\.\.\/(.+)';/g)).toEqual([
    `{${everywhere.join(',')}}`,
    ...mounted(page).toSorted(),
  ])
})

test('the style sheet of all other pages excludes code that only the video pages have', () => {
  const theirs = [...new Set(VIDEO_PAGES.flatMap(mounted))].toSorted()
  const left = found('styles/pages.css', /@source not '\.\.\/(.+)';/g)
  expect(left.filter((path) => path.startsWith('islands/')).toSorted()).toEqual(theirs)
  const shared = left.filter((path) => !path.startsWith('islands/')).flatMap(expandPattern)
  expect(shared.length).toBeGreaterThan(0)
  const users = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !shared.includes(file) && !theirs.some((folder) => file.startsWith(`${folder}/`)),
  )
  for (const file of users)
    for (const name of shared)
      expect(readFileSync(src + file, 'utf8'), file).not.toContain(`/${name.slice(name.lastIndexOf('/') + 1)}'`)
})

function expandPattern(pattern: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.+)\}(.*)$/.exec(pattern) ?? []
  return names.split(',').map((name) => before + name + after)
}
