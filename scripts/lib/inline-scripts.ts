import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minifySync } from 'vite'

/** Matches inline scripts, but not data blocks (`type`) or external files (`src`). */
const INLINE_SCRIPT_PATTERN = /(<script(?![^>]*\b(?:src|type)=)[^>]*>)([\s\S]*?)(<\/script>)/g

/**
 * Minifies the inline scripts of all built documents. Must run before the content security policy is derived from these
 * scripts.
 */
export function minifyInlineScripts(client: string): void {
  for (const page of readdirSync(client, { recursive: true, encoding: 'utf8' })) {
    if (!page.endsWith('.html')) continue
    const path = join(client, page)
    const html = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      html.replace(
        INLINE_SCRIPT_PATTERN,
        (_, open: string, code: string, close: string) => open + minify(code) + close,
      ),
    )
  }
}

function minify(code: string): string {
  const { code: less, errors } = minifySync('inline.js', code)
  if (errors.length > 0) throw new Error(`An inline script can't be parsed: ${errors[0]?.message ?? ''}\n${code}`)
  return less.trim()
}
