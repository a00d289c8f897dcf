import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPageCode, getGzipKib, readPartsCode } from '../../scripts/lib/page-weight.ts'
import type { Figure } from './figure.ts'

/**
 * Maximum size of each page's JavaScript, KiB gzip. The limit applies to the first load, and to the first load together
 * with the deferred parts.
 */
const MAX_JS_KIB = {
  'index.html': 3,
  'user/login.html': 3,
  'live.html': 95,
  'events.html': 105,
  'account/services.html': 90,
  'account/products/choose.html': 90,
  'account/products/camera-ai.html': 90,
  'account/products/unlimited.html': 90,
  'account/payment.html': 90,
} as const
const MAX_CSS_KIB = 12

/**
 * Measures the built pages, KiB gzip: the JavaScript of the first load, the JavaScript with deferred parts, and the
 * inline stylesheet.
 */
export function measurePageWeights(root: string): Figure[] {
  const client = join(root, 'dist/client')
  return Object.entries(MAX_JS_KIB).flatMap(([page, goal]) => {
    const html = readFileSync(join(client, page), 'utf8')
    const css = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text).join('\n')
    const js = getGzipKib(readPageCode(client, html))
    const partsKib = getGzipKib(readPartsCode(client, html))
    const total = { label: `${page}: JavaScript including deferred parts for a signed-in user`, value: js + partsKib }
    return [
      { label: `${page}: JavaScript of the first load`, value: js, unit: 'KiB gzip', goal, bound: 'max' as const },
      ...(partsKib > 0 ? [{ ...total, unit: 'KiB gzip', goal, bound: 'max' as const }] : []),
      { label: `${page}: CSS`, value: getGzipKib([css]), unit: 'KiB gzip', goal: MAX_CSS_KIB, bound: 'max' as const },
    ]
  })
}
