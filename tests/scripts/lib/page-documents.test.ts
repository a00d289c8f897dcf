import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../../../scripts/lib/build.ts'
import { documentPath } from '../../../scripts/lib/page-weight.ts'
import { fillsWindow, isProtected, showsHeader } from '../../../src/domain/navigation/page-rules.ts'
import { GENERIC_PAGE, PAGES, pageAt, pageBehind } from '../../../src/domain/navigation/pages.ts'

const root = new URL('../../..', import.meta.url).pathname
const client = join(root, 'dist/client')
const ALL = [...PAGES, GENERIC_PAGE]
/** Pages on which the search can be opened. */
const SEARCHED = ['/events', '/live']
const read = (path: string) => readFileSync(join(client, documentPath(path)), 'utf8')

beforeAll(() => void buildPages(root, console.log), 300_000)

test('ROUTE-23 every page of the page table, and nothing else, is built as a document', () => {
  const built = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  expect(built.toSorted()).toEqual(ALL.map(({ path }) => documentPath(path)).toSorted())
})

test('ROUTE-23 every URL of a row, even one only containing its word, maps to a built document', () => {
  for (const path of ['/x/events/y', '/live/a', '/redeem', '/shop/payment/b', '/my-purchase/hms/b', '/account']) {
    const answer = pageBehind(path)
    if (answer === null) throw new Error(`Nothing stands behind ${path}.`)
    expect(read('serve' in answer ? answer.serve : answer.go)).toContain('<!DOCTYPE html>')
  }
})

describe.each(ALL.map((page) => [page.path, page] as const))('document of %s', (path, page) => {
  test('matches the page table', () => {
    const html = read(path)
    expect(pageAt(path)).toBe(page)
    expect(html).toContain(`<title>${page.title}</title>`)
    expect(/<html [^>]*data-who="asking"/.test(html)).toBe(isProtected(path))
    expect(html.includes('<header class="header')).toBe(showsHeader(path))
    // OPEN-171: the browser notice is on all pages except those that only redirect.
    expect(html.includes('<div class="notice"')).toBe(showsHeader(path) && !path.startsWith('/user/'))
    expect(/id="content" class="full-height"/.test(html)).toBe(fillsWindow(path))
    const islands = [...html.matchAll(/<astro-island [^>]*opts="{&quot;name&quot;:&quot;(\w+)&quot;/g)]
    // Public pages have no island. Other pages have their own, and video pages also have the island `Search`.
    expect(islands).toHaveLength(isProtected(path) ? (SEARCHED.includes(path) ? 2 : 1) : 0)
    expect(islands.some(([, name]) => name === 'Search')).toBe(SEARCHED.includes(path))
  })
})

const WITH_HEADER = ALL.filter(({ path }) => showsHeader(path))

test.each(WITH_HEADER.map((page) => [page.path, page] as const))(
  'the document of %s marks its navigation section and its account tab',
  (path, { section, tab }) => {
    const [, nav = ''] = /<nav class="nav"([\s\S]*?)<\/nav>/.exec(read(path)) ?? []
    const [, tabs] = /<nav class="tabs"([\s\S]*?)<\/nav>/.exec(read(path)) ?? []
    const current = (links: string) => /aria-current="page"[^>]*>\s*([\w ]+)/.exec(links)?.[1]?.trim()
    expect(current(nav)).toBe(section && PAGES.find((page) => page.section === section && page.entry)?.entry)
    expect(tabs && current(tabs)).toBe(tab)
  },
)

describe('compiled styles', () => {
  let css = ''
  beforeAll(() => {
    const styles = ({ path }: { path: string }) =>
      [...read(path).matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text)
    const sheets = readdirSync(join(client, '_astro')).filter((name) => name.endsWith('.css'))
    css = [...ALL.flatMap(styles), ...sheets.map((name) => readFileSync(join(client, '_astro', name), 'utf8'))].join(
      '\n',
    )
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
    .map((two) => parseInt(two, 16))
  const max = Math.max(red, green, blue)
  const span = max - Math.min(red, green, blue)
  const [sector, apart] = max === red ? [0, green - blue] : max === green ? [2, blue - red] : [4, red - green]
  return (60 * (sector + apart / span) + 360) % 360
}
