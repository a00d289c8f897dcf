import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listEntryUrls, listModules, listPartUrls } from './module-preload.ts'

/**
 * Reserve in KiB that a page with an island must leave below its budget for later additions
 * (docs/decisions/0021-chunk-list.md).
 */
const RESERVE_KIB = 2
/** Budget of a page without an island, KiB. Such pages leave no reserve, because this budget is too small for one. */
const SMALL_BUDGET_KIB = 3.1
/** Documents that may use their size reserve, each with the reason. */
const RESERVE_EXEMPTIONS: Readonly<Record<string, string>> = {
  'live.html': 'a connection that drops before all scripts have loaded (docs/decisions/0074)',
  'events.html': 'a connection that drops before all scripts have loaded (docs/decisions/0074)',
}

/**
 * Maximum size of each document, KiB gzip. The first paint of a page needs only its document, and 1 KiB takes 6 ms on a
 * slow phone (docs/decisions/0116).
 */
const MAX_DOCUMENT_KIB: readonly (readonly [page: RegExp, kib: number])[] = [
  [/^index\.html$/, 24.7],
  [/^events\.html$/, 23.7],
  [/^live\.html$/, 18.9],
  [/^account\/products\/(?!choose|bought)/, 22],
  [/^account/, 19.5],
  [/^guides\//, 20],
  [/^privacy\.html$/, 13.7],
  [/./, 11],
]

/** Compares the gzip size of a document, with its styles, inline scripts and drawings, with its limit. */
export function checkDocumentSize(client: string, page: string): { line: string; isKept: boolean } {
  const size = getGzipKib([readFileSync(join(client, page), 'utf8')])
  const limit = MAX_DOCUMENT_KIB.find(([pattern]) => pattern.test(page))?.[1] ?? 0
  return { line: `${page}: document of ${size.toFixed(2)} KiB, limit ${limit}`, isKept: size <= limit }
}

/**
 * Compares the gzip size of a document's first-load JavaScript with `budget` in KiB, less the reserve if one applies.
 * Returns a line to print; `isKept` is true if the size is within this limit.
 */
export function checkPageSize(client: string, page: string, budget: number): { line: string; isKept: boolean } {
  const html = readFileSync(join(client, page), 'utf8')
  const size = getGzipKib(readPageCode(client, html))
  const partsSize = getGzipKib(readPartsCode(client, html))
  const limit = budget > SMALL_BUDGET_KIB && !RESERVE_EXEMPTIONS[page] ? budget - RESERVE_KIB : budget
  const limitText = limit < budget ? `${budget} with ${RESERVE_KIB} in reserve` : `${budget}`
  const more = partsSize > 0 ? `; logged-in users load ${partsSize.toFixed(2)} KiB more` : ''
  return {
    line: `${page}: ${size.toFixed(2)} KiB of JavaScript, limit ${limitText}${more}`,
    isKept: size <= limit,
  }
}

/** Returns the gzip size in KiB; each file is compressed separately. */
export const getGzipKib = (code: readonly string[]): number =>
  code.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0) / 1024

/**
 * Returns the code that signed-in users load in addition to the first load: the parts of islands (module-preload.ts).
 */
export function readPartsCode(client: string, html: string): string[] {
  const [first, parts] = [listEntryUrls(html), listPartUrls(client, html)].map((entries) =>
    listModules(client, entries),
  )
  return (parts ?? []).filter((url) => !first?.includes(url)).map((url) => readFileSync(join(client, url), 'utf8'))
}

/** Returns the path of a page's built document, relative to the client folder. */
export const getDocumentPath = (path: string): string => `${path === '/' ? 'index' : path.slice(1)}.html`

/**
 * Returns the code of a page's first load on a phone: inline scripts, and its modules with all static imports. Links with
 * `media` are for wide windows.
 */
export function readPageCode(client: string, html: string): string[] {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => code,
  )
  const entries = [
    ...html
      .replace(/<link[^>]*\bmedia=[^>]*>/g, '')
      .matchAll(/(?:src|href|component-url|renderer-url|before-hydration-url)="(\/[^"]+\.js)"/g),
  ].map(([, url = '']) => url)
  const seen = new Map<string, string>()
  for (const entry of entries) collectModules(client, entry, seen)
  return [...inline, ...seen.values()]
}

function collectModules(client: string, url: string, codeByUrl: Map<string, string>): void {
  const path = join(client, url)
  if (codeByUrl.has(url) || !existsSync(path)) return
  const code = readFileSync(path, 'utf8')
  codeByUrl.set(url, code)
  for (const [, target = ''] of code.matchAll(/(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g)) {
    collectModules(client, normalize(join(dirname(url), target)), codeByUrl)
  }
}
