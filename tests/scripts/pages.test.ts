import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildPages } from '../../scripts/lib/build.ts'
import { documentOf } from '../../scripts/lib/page-weight.ts'
import { fillsWindow, isProtected, showsHeader } from '../../src/domain/page-rules.ts'
import { GENERIC_PAGE, PAGES, pageAt, pageBehind } from '../../src/domain/pages.ts'

const root = new URL('../..', import.meta.url).pathname
const client = join(root, 'dist/client')
const ALL = [...PAGES, GENERIC_PAGE]
const read = (path: string) => readFileSync(join(client, documentOf(path)), 'utf8')

beforeAll(() => void buildPages(root, console.log), 300_000)

test('ROUTE-23 every page of the table is built as a document, and nothing else is', () => {
  const built = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  expect(built.toSorted()).toEqual(ALL.map(({ path }) => documentOf(path)).toSorted())
})

test('ROUTE-23 every address of a row, those that only contain its word included, stands for a built document', () => {
  for (const path of ['/x/events/y', '/live/a', '/redeem', '/shop/payment/b', '/a/purchase/hms/b', '/account']) {
    const answer = pageBehind(path)
    expect([path, answer]).not.toEqual([path, null])
    if (answer) expect(read('serve' in answer ? answer.serve : answer.go)).toContain('<!DOCTYPE html>')
  }
})

describe.each(ALL.map((page) => [page.path, page] as const))('the document of %s', (path, page) => {
  test('is what the table says of it', () => {
    const html = read(path)
    expect(pageAt(path)).toBe(page)
    expect(html).toContain(`<title>${page.title}</title>`)
    expect(/<html [^>]*data-who="asking"/.test(html)).toBe(isProtected(path))
    expect(html.includes('<header class="header')).toBe(showsHeader(path))
    expect(/id="content" class="full-height"/.test(html)).toBe(fillsWindow(path))
    const islands = [...html.matchAll(/<astro-island [^>]*opts="{&quot;name&quot;:&quot;(\w+)&quot;/g)]
    expect(islands.map(([, name]) => name)).toEqual(page.island ? [page.island] : [])
  })
})

const WITH_HEADER = ALL.filter(({ path }) => showsHeader(path))

test.each(WITH_HEADER.map((page) => [page.path, page] as const))(
  'the document of %s marks its section and its part of the account',
  (path, { section, tab }) => {
    const [, nav = ''] = /<nav class="nav"([\s\S]*?)<\/nav>/.exec(read(path)) ?? []
    const [, tabs] = /<nav class="tabs"([\s\S]*?)<\/nav>/.exec(read(path)) ?? []
    const current = (links: string) => /aria-current="page"[^>]*>\s*([\w ]+)/.exec(links)?.[1]?.trim()
    expect(current(nav)).toBe(section && PAGES.find((one) => one.section === section && one.entry)?.entry)
    expect(tabs && current(tabs)).toBe(tab)
  },
)
