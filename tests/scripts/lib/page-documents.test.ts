import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../../../scripts/lib/build.ts'
import { getDocumentPath } from '../../../scripts/lib/page-weight.ts'
import { fillsWindow, isProtected, showsHeader } from '../../../src/domain/navigation/page-rules.ts'
import { NOT_FOUND_PAGE, PAGES, findPage, resolvePagePath } from '../../../src/domain/navigation/pages.ts'

const root = new URL('../../..', import.meta.url).pathname
const clientFolder = join(root, 'dist/client')
const ALL_PAGES = [...PAGES, NOT_FOUND_PAGE]
const SEARCH_PAGES = ['/events', '/live']
const readDocument = (path: string) => readFileSync(join(clientFolder, getDocumentPath(path)), 'utf8')

beforeAll(() => void buildPages(root, console.log), 300_000)

test('ROUTE-23 every page of the page table, and nothing else, is built as a document', () => {
  const built = readdirSync(clientFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  expect(built.toSorted()).toEqual(ALL_PAGES.map(({ path }) => getDocumentPath(path)).toSorted())
})

test('ROUTE-23 every URL of a row, even one only containing its word, maps to a built document', () => {
  for (const path of ['/x/events/y', '/live/a', '/redeem', '/shop/payment/b', '/my-purchase/hms/b', '/account']) {
    const answer = resolvePagePath(path)
    if (answer === null) throw new Error(`No document is mapped to ${path}.`)
    expect(readDocument('serve' in answer ? answer.serve : answer.go)).toContain('<!DOCTYPE html>')
  }
})

test('each icon has one shape, unless a part of it has its own color', () => {
  const icons = ALL_PAGES.flatMap(({ path }) => [
    ...readDocument(path).matchAll(/<svg [^>]*class="lucide ([\w-]+)[^>]*>(.*?)<\/svg>/gs),
  ])
  expect(icons.length).toBeGreaterThan(ALL_PAGES.length)
  const combined = icons.filter(([, , shapes = '']) => !shapes.includes('fill='))
  expect(combined.filter(([, , shapes]) => shapes?.match(/<\w+ /g)?.length !== 1).map(([, name]) => name)).toEqual([])
})

describe.each(ALL_PAGES.map((page) => [page.path, page] as const))('document of %s', (path, page) => {
  test('matches the page table', () => {
    const html = readDocument(path)
    expect(findPage(path)).toBe(page)
    expect(html).toContain(`<title>${page.title}</title>`)
    expect(html).toMatch(new RegExp(`<html [^>]*data-page="${path}"`))
    expect(/<html [^>]*data-who="asking"/.test(html)).toBe(isProtected(path))
    expect(html.includes('<header class="header')).toBe(showsHeader(path))
    // In the head, a font face delays the first paint in Chrome.
    expect(html.indexOf('new FontFace(') > html.indexOf('<body')).toBe(isProtected(path))
    // OPEN-171: the browser notice is on all pages except those that only redirect.
    expect(html.includes('<div class="notice"')).toBe(showsHeader(path) && !path.startsWith('/user/'))
    expect(/id="content" class="full-height"/.test(html)).toBe(fillsWindow(path))
    const islands = [...html.matchAll(/<astro-island [^>]*opts="{&quot;name&quot;:&quot;(\w+)&quot;/g)]
    // Public pages have no island. Each protected page has its own island. Pages with search also have the island
    // `Search`.
    expect(islands).toHaveLength(isProtected(path) ? (SEARCH_PAGES.includes(path) ? 2 : 1) : 0)
    expect(islands.some(([, name]) => name === 'Search')).toBe(SEARCH_PAGES.includes(path))
  })
})

const HEADER_PAGES = ALL_PAGES.filter(({ path }) => showsHeader(path))

test.each(HEADER_PAGES.map((page) => [page.path, page] as const))(
  'the document of %s marks its navigation section and its account tab',
  (path, { section, tab }) => {
    const [, nav = ''] = /<nav class="nav"([\s\S]*?)<\/nav>/.exec(readDocument(path)) ?? []
    const [, tabs] = /<nav class="tabs"([\s\S]*?)<\/nav>/.exec(readDocument(path)) ?? []
    const findCurrentLink = (links: string) => /aria-current="page"[^>]*>\s*([\w ]+)/.exec(links)?.[1]?.trim()
    expect(findCurrentLink(nav)).toBe(section && PAGES.find((page) => page.section === section && page.entry)?.entry)
    expect(tabs && findCurrentLink(tabs)).toBe(tab)
  },
)

describe('compiled styles', () => {
  let css = ''
  beforeAll(() => {
    const listInlineStyles = ({ path }: { path: string }) =>
      [...readDocument(path).matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text)
    const sheets = readdirSync(join(clientFolder, '_astro')).filter((name) => name.endsWith('.css'))
    css = [
      ...ALL_PAGES.flatMap(listInlineStyles),
      ...sheets.map((name) => readFileSync(join(clientFolder, '_astro', name), 'utf8')),
    ].join('\n')
  })

  test.each([350, 380, 768, 1024, 1440])('LAYOUT-12 change at %i px', (width) => {
    const rules = [...css.matchAll(/@media ([^{]+)\{[^{}]+\{[^{}]+\}/g)].map(([, query = '']) => query)
    const edge = new RegExp(`\\(width(<=?|>=)${width}px\\)`)
    expect(rules.filter((query) => edge.test(query))).not.toEqual([])
  })

  /** Resolves a color variable to its values in all themes, following references to other variables. */
  const resolveColors = (name: string): string[] => {
    const values = [...css.matchAll(new RegExp(`[{;\\s]--${name}:\\s*([^;}]+)`, 'g'))].map(([, value = '']) => value)
    const nexts = values.map((value) => ({ value, next: /^var\(--([\w-]+)\)$/.exec(value)?.[1] }))
    return [...new Set(nexts.flatMap(({ value, next }) => (next === name ? [] : next ? resolveColors(next) : [value])))]
  }

  test.each([
    ['primary', 'purple', 250, 290],
    ['secondary', 'green', 120, 170],
  ])('THEME-02 the %s color is %s in both themes', (name, _, from, to) => {
    const hues = resolveColors(`color-${name}`).map(computeHue)
    expect(hues.length).toBeGreaterThanOrEqual(2)
    expect(hues.filter((hue) => !(hue >= from && hue <= to))).toEqual([])
  })
})

/** Returns the hue of `#rrggbb` in degrees. */
function computeHue(color: string): number {
  const [red = NaN, green = NaN, blue = NaN] = (/^#(..)(..)(..)$/.exec(color) ?? [])
    .slice(1)
    .map((hexPair) => parseInt(hexPair, 16))
  const max = Math.max(red, green, blue)
  const span = max - Math.min(red, green, blue)
  const [sector, difference] = max === red ? [0, green - blue] : max === green ? [2, blue - red] : [4, red - green]
  return (60 * (sector + difference / span) + 360) % 360
}
