import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The built document of a page, below the folder of what is served. */
export const documentOf = (path: string): string => `${path === '/' ? 'index' : path.slice(1)}.html`

/** The code a page runs at its first load: inline scripts, and its modules with everything they import statically. */
export function jsOfPage(client: string, html: string): string[] {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => code,
  )
  const entries = [
    ...html.matchAll(/(?:src|href|component-url|renderer-url|before-hydration-url)="(\/[^"]+\.js)"/g),
  ].map(([, url = '']) => url)
  const seen = new Map<string, string>()
  for (const entry of entries) follow(client, entry, seen)
  return [...inline, ...seen.values()]
}

function follow(client: string, url: string, seen: Map<string, string>): void {
  const path = join(client, url)
  if (seen.has(url) || !existsSync(path)) return
  const code = readFileSync(path, 'utf8')
  seen.set(url, code)
  for (const [, target = ''] of code.matchAll(/(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g)) {
    follow(client, normalize(join(dirname(url), target)), seen)
  }
}
