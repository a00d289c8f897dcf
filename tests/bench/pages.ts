import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { jsOfPage } from '../../scripts/lib/page-weight.ts'
import type { Figure } from './main.ts'

/** KiB of JavaScript that each page may load at first. */
const PAGES = {
  'index.html': 3,
  'user/login.html': 3,
  'live.html': 95,
  'events.html': 105,
  'account/services.html': 90,
} as const
const CSS_KIB = 12

/** Bytes of the built pages, gzip: JavaScript of the first load, and the stylesheet that is inside the document. */
export function measurePages(root: string): Figure[] {
  const client = join(root, 'dist/client')
  const kib = (text: string) => gzipSync(text, { level: 9 }).length / 1024
  return Object.entries(PAGES).flatMap(([page, goal]) => {
    const html = readFileSync(join(client, page), 'utf8')
    const css = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text).join('\n')
    const js = jsOfPage(client, html).reduce((sum, code) => sum + kib(code), 0)
    return [
      { what: `${page}: JavaScript of the first load`, value: js, unit: 'KiB gzip', goal, bound: 'max' as const },
      { what: `${page}: CSS`, value: kib(css), unit: 'KiB gzip', goal: CSS_KIB, bound: 'max' as const },
    ]
  })
}
