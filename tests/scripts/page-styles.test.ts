import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const sourceFolder = new URL('../../src/', import.meta.url).pathname
const VIDEO_PAGES = ['events', 'live']
/** Folders that the style sheets of the video pages do not scan as shared code. */
const UNSHARED_FOLDERS = ['islands', 'pages', 'styles']

const findMatches = (file: string, pattern: RegExp) =>
  [...readFileSync(`${sourceFolder}${file}`, 'utf8').matchAll(pattern)].map(([, name = '']) => name)
const listMountedIslands = (page: string) => [
  ...new Set(findMatches(`pages/${page}.astro`, /from '\.\.\/(islands\/[\w-]+)\//g)),
]

test.each(VIDEO_PAGES)('the style sheet of /%s scans its islands and the code that every page may have', (page) => {
  const folders = readdirSync(sourceFolder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  const sharedFolders = folders.filter((name) => !UNSHARED_FOLDERS.includes(name)).toSorted()
  expect(listMountedIslands(page)).toContain(`islands/${page}`)
  expect(findMatches(`styles/${page}-page.css`, /@source '\.\.\/(.+)';/g)).toEqual([
    `{${sharedFolders.join(',')}}`,
    ...listMountedIslands(page).toSorted(),
  ])
})

test('the style sheet of all other pages excludes code that only the video pages have', () => {
  const videoIslands = [...new Set(VIDEO_PAGES.flatMap(listMountedIslands))].toSorted()
  const excludedPaths = findMatches('styles/pages.css', /@source not '\.\.\/(.+)';/g)
  expect(excludedPaths.filter((path) => path.startsWith('islands/')).toSorted()).toEqual(videoIslands)
  const shared = excludedPaths.filter((path) => !path.startsWith('islands/')).flatMap(expandPattern)
  expect(shared.length).toBeGreaterThan(0)
  const users = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) && !shared.includes(file) && !videoIslands.some((folder) => file.startsWith(`${folder}/`)),
  )
  for (const file of users)
    for (const name of shared)
      expect(readFileSync(sourceFolder + file, 'utf8'), file).not.toContain(
        `/${name.slice(name.lastIndexOf('/') + 1)}'`,
      )
})

function expandPattern(pattern: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.+)\}(.*)$/.exec(pattern) ?? [pattern, pattern]
  return names.split(',').map((name) => before + name + after)
}

test('the style sheet of public pages scans the code of documents, which contain no island', () => {
  expect(findMatches('styles/public-pages.css', /@source (?:not )?'\.\.\/(.+)';/g)).toEqual([
    '{boot,domain,layouts,pages}',
    'pages/account',
  ])
  const publicPages = readdirSync(`${sourceFolder}pages`, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.astro') && readFileSync(`${sourceFolder}pages/${file}`, 'utf8').includes('<PublicShell'),
  )
  expect(publicPages.length).toBeGreaterThan(0)
  for (const file of publicPages) expect(listMountedIslands(file.replace('.astro', '')), file).toEqual([])
})

/** Returns the source files that a page contains or loads later, relative to `src`. */
function listReachableFiles(pages: readonly string[]): Set<string> {
  const reachable = new Set<string>()
  const visit = (file: string) => {
    if (reachable.has(file) || !existsSync(sourceFolder + file)) return
    reachable.add(file)
    for (const target of findMatches(file, /(?:from|import|src=)\s*\(?\s*['"](\.{1,2}\/[^'"?]+)/g))
      visit(join(dirname(file), target))
  }
  for (const page of pages) visit(page)
  return reachable
}

const listPagesWith = (shell: string) =>
  readdirSync(`${sourceFolder}pages`, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.astro') && readFileSync(`${sourceFolder}pages/${file}`, 'utf8').includes(`<${shell}`),
    )
    .map((file) => `pages/${file}`)

test.each([
  ['events-page', ['pages/events.astro']],
  ['live-page', ['pages/live.astro']],
  ['redirect-pages', listPagesWith('RedirectShell')],
])('%s.css excludes only components that its pages do not have', (sheet, pages) => {
  const excluded = findMatches(`styles/${sheet}.css`, /@source not '\.\.\/(.+)';/g).flatMap(expandPattern)
  expect(excluded.length).toBeGreaterThan(0)
  const reachable = listReachableFiles(pages)
  expect(reachable.size).toBeGreaterThan(pages.length)
  expect(excluded.filter((file) => !existsSync(sourceFolder + file) || reachable.has(file))).toEqual([])
})

test('no element has a class that global.css excludes as a word of the code', () => {
  const words = findMatches('styles/global.css', /@source not inline\('(.+)'\)/g)
    .join(' ')
    .split(' ')
  expect(words.length).toBeGreaterThan(1)
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(tsx|astro)$/.test(file),
  )
  const uses = files.flatMap((file) =>
    findMatches(file, /\bclass(?:Name|:list)?=("[^"]*"|\{[^}]*\})/g).flatMap((text) =>
      text
        .split(/[\s"'`{}[\],()]+/)
        .filter((word) => words.includes(word))
        .map((word) => `${file}: ${word}`),
    ),
  )
  expect(uses).toEqual([])
})
