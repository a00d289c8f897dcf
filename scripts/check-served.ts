/**
 * Checks the files that a visitor can download. They must contain no secrets, source maps or environment files. Each
 * page must be within its size budget and must set the order of its style layers first. At least one page must preload
 * each `page-chunk` module. No script may need an analytics script.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NOT_FOUND_PAGE, PAGES } from '../src/domain/navigation/pages.ts'
import { buildPages } from './lib/build.ts'
import { checkDocumentSize, checkPageSize, getDocumentPath } from './lib/page-weight.ts'

const root = new URL('..', import.meta.url).pathname
buildPages(root, console.log)
const client = join(root, 'dist/client')
const files = readdirSync(client, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
const problems: string[] = []

const secrets = readSecretValues(join(root, '.porchlight/secrets.env'))
for (const file of files) {
  const name = file.slice(client.length)
  if (/\.map$|\.dev\.vars|\.env$/.test(name)) problems.push(`${name} must not be served.`)
  const text = readFileSync(file, 'latin1')
  if (/SIGN_[A-Z_]+=|BEGIN [A-Z ]*PRIVATE KEY/.test(text) || secrets.some((secret) => text.includes(secret)))
    problems.push(`${name} contains a secret.`)
}

for (const { path, budget } of [...PAGES, NOT_FOUND_PAGE]) {
  const page = getDocumentPath(path)
  if (!existsSync(join(client, page))) {
    problems.push(`${page} wasn't built.`)
    continue
  }
  for (const { line, isKept } of [checkPageSize(client, page, budget), checkDocumentSize(client, page)]) {
    if (isKept) console.log(line)
    else problems.push(line)
  }
}

// Signed-in browsers preload the `page-chunk` modules. A module that no page lists would load one round trip later.
const pagesText = files.filter((name) => name.endsWith('.html')).map((name) => readFileSync(name, 'utf8'))
for (const name of files.map((file) => file.slice(client.length)).filter((url) => /\/page-chunk\.[^/]+\.js$/.test(url)))
  if (!pagesText.some((html) => /<meta name="parts" content="([^"]*)"/.exec(html)?.[1]?.split(' ').includes(name)))
    problems.push(`${name} isn't preloaded by any page (scripts/lib/module-preload.ts).`)

// Browsers may block analytics scripts. Other scripts may therefore import them only dynamically.
const ANALYTICS_CHUNK = /\/(start-analytics|page-analytics|amplitude-clients)\.[^/]+\.js$/
for (const file of files.filter((name) => name.endsWith('.js') && !ANALYTICS_CHUNK.test(name)))
  for (const [, url = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g))
    if (ANALYTICS_CHUNK.test(url.slice(1)))
      problems.push(`${file.slice(client.length)} needs ${url}, which browsers may block (scripts/lib/chunk-paths.ts).`)

// If a style sheet uses a layer before the `@layer` statement that sets the order, the browser reset overrides
// component styles.
for (const file of files.filter((name) => name.endsWith('.html'))) {
  const [first = ''] = /@layer [^{;]*[{;]/.exec(readFileSync(file, 'utf8')) ?? []
  if (!/^@layer theme,\s*base,\s*components,\s*utilities;/.test(first))
    problems.push(
      `${file.slice(client.length)} doesn't set the layer order first (@layer theme, base, components, utilities).`,
    )
}

for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function readSecretValues(path: string): string[] {
  if (!existsSync(path)) return []
  return [...readFileSync(path, 'utf8').matchAll(/=(.{32,})$/gm)].map(([, value = '']) => value)
}
