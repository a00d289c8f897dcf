import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ENTRY = /(?:component-url|renderer-url|<script type="module" src)="(\/[^"]+\.js)"/g
const PARTS = /import\(\s*["'`](\.{1,2}\/panels\.[^"'`]+\.js)["'`]\s*\)/g
const STATIC_IMPORT = /(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g

/**
 * Names every module of an island's page in its head, so that a browser fetches them all at once instead of learning of
 * each from the one before (a request in series costs 562 ms on a slow phone). Pages without an island have
 * two or three modules and are left alone.
 */
export function preloadModules(client: string): void {
  const pages = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  for (const page of pages) {
    const path = join(client, page)
    const html = readFileSync(path, 'utf8')
    if (!html.includes('<astro-island')) continue
    const first = listModules(client, listEntryUrls(html))
    const links = first.map((url) => `<link rel="modulepreload" href="${url}">`)
    const later = listModules(client, listPartUrls(client, html)).filter((url) => !first.includes(url))
    const script = later.length > 0 ? namedForUser(later) : ''
    writeFileSync(
      path,
      html.replace('</head>', () => `${links.join('')}${script}</head>`),
    )
  }
}

/** The modules stand in an element of their own, so that the script is the same on all pages and the policy names it once. */
const namedForUser = (modules: readonly string[]) =>
  `<meta name="parts" content="${modules.join(' ')}"><script>(${preloadForUser.toString()})()</script>`

/** Runs in the page: what an island draws for a user is fetched along with it, and by nobody who is not signed in. */
function preloadForUser(): void {
  const parts = document.querySelector<HTMLMetaElement>('meta[name=parts]')?.content
  if (!parts || !document.cookie.includes('signed_in=1')) return
  for (const href of parts.split(' '))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

/** What a page itself names: islands, their renderer, its scripts. */
export const listEntryUrls = (html: string) => [...html.matchAll(ENTRY)].map(([, url = '']) => url)

/** What the islands of a page ask for at once beside React: the file of their parts. */
export function listPartUrls(client: string, html: string): string[] {
  return listEntryUrls(html).flatMap((url) =>
    [...readFileSync(join(client, url), 'utf8').matchAll(PARTS)].map(([, target = '']) =>
      normalize(join(dirname(url), target)),
    ),
  )
}

/** The modules at these addresses with all that they import. */
export function listModules(client: string, entries: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (url: string) => {
    const path = join(client, url)
    if (found.has(url) || !existsSync(path)) return
    found.add(url)
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(STATIC_IMPORT)) {
      visit(normalize(join(dirname(url), target)))
    }
  }
  for (const url of entries) visit(url)
  return [...found]
}
