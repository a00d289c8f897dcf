import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ENTRY_URL_PATTERN = /(?:component-url|renderer-url|<script type="module" src)="(\/[^"]+\.js)"/g
const SCRIPT_URL_PATTERN = /<script type="module" src="(\/[^"]+\.js)"/g
const PART_IMPORT_PATTERN = /import\(\s*["'`](\.{1,2}\/page-chunk\.[^"'`]+\.js)["'`]\s*\)/g
/** Imports of code that only wide windows need, which their documents preload too. */
const WIDE_IMPORT_PATTERN = /import\(\s*["'`](\.{1,2}\/wide-chunk\.[^"'`]+\.js)["'`]\s*\)/g
const WIDE_WINDOW = '(min-width: 768px)'
const NARROW_WINDOW = '(max-width: 767.98px)'
/** Matches a page whose islands wait for the video. In wide windows, src/stores/live/position-tiles.ts preloads them. */
const LATE_ISLAND_PATTERN = /<astro-island[^>]*&quot;pictures&quot;/
const STATIC_IMPORT_PATTERN = /(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g

/**
 * Adds a modulepreload link for every module of a page with islands, because each module that loads serially costs
 * 562 ms on a slow phone. Skips pages without an island, which have only two or three modules.
 */
export function preloadModules(client: string): void {
  const pages = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  for (const page of pages) {
    const path = join(client, page)
    const html = readFileSync(path, 'utf8')
    if (!html.includes('<astro-island')) continue
    const first = listModules(client, listEntryUrls(html))
    const early = LATE_ISLAND_PATTERN.test(html) ? listModules(client, listScriptUrls(html)) : first
    const links = first.map((url) =>
      early.includes(url)
        ? `<link rel="modulepreload" href="${url}">`
        : `<link rel="modulepreload" media="${NARROW_WINDOW}" href="${url}">`,
    )
    const wideLinks = listModules(client, listDynamicImports(client, first, WIDE_IMPORT_PATTERN))
      .filter((url) => !first.includes(url))
      .map((url) => `<link rel="modulepreload" media="${WIDE_WINDOW}" href="${url}">`)
    const later = listModules(client, listPartUrls(client, html)).filter((url) => !first.includes(url))
    const script = later.length > 0 ? renderUserPreload(later) : ''
    writeFileSync(
      path,
      html
        // The first script of the head uses these links.
        .replace(/<head>(<meta charset[^>]*>)?/, (start) => start + wideLinks.join(''))
        .replace('</head>', () => `${links.join('')}${script}</head>`),
    )
  }
}

/** Renders the module list outside of the script, so that the script is equal on all pages and needs one CSP hash. */
const renderUserPreload = (modules: readonly string[]) =>
  `<meta name="parts" content="${modules.join(' ')}"><script>(${preloadForUser.toString()})()</script>`

/** Preloads the island parts that only signed-in users see. Runs in the page. */
function preloadForUser(): void {
  const parts = document.querySelector<HTMLMetaElement>('meta[name=parts]')?.content
  if (!parts || !document.cookie.includes('signed_in=1')) return
  for (const href of parts.split(' '))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}

/** Returns the URLs of the modules that a page's HTML names: islands, their renderer, and the page's scripts. */
export const listEntryUrls = (html: string) => [...html.matchAll(ENTRY_URL_PATTERN)].map(([, url = '']) => url)

const listScriptUrls = (html: string) => [...html.matchAll(SCRIPT_URL_PATTERN)].map(([, url = '']) => url)

/** Returns the part modules (`page-chunk.ts`) that a page's islands import dynamically right after loading. */
export const listPartUrls = (client: string, html: string): string[] =>
  listDynamicImports(client, listEntryUrls(html), PART_IMPORT_PATTERN)

/** Returns the URLs of the modules that `urls` import dynamically and that match `pattern`. */
function listDynamicImports(client: string, urls: readonly string[], pattern: RegExp): string[] {
  const imported = urls.flatMap((url) =>
    [...readFileSync(join(client, url), 'utf8').matchAll(pattern)].map(([, target = '']) =>
      normalize(join(dirname(url), target)),
    ),
  )
  return [...new Set(imported)]
}

/** Returns the given modules with all their static imports. */
export function listModules(client: string, entries: readonly string[]): string[] {
  const visited = new Set<string>()
  const visit = (url: string) => {
    const path = join(client, url)
    if (visited.has(url) || !existsSync(path)) return
    visited.add(url)
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(STATIC_IMPORT_PATTERN)) {
      visit(normalize(join(dirname(url), target)))
    }
  }
  for (const url of entries) visit(url)
  return [...visited]
}
