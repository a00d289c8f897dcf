import { html, raw } from 'hono/html'
import { BRAND_NAME } from '../../contract/brand.ts'
import type { EdgeError } from './edge-error.ts'
import type { EdgeContext } from './edge-context.ts'
import { toBase64, encodeUtf8 } from './byte-encoding.ts'

const STYLE = `:root{color-scheme:light dark;--page:#fbf8f4;--ink:#231a30;--primary:#6a3fd0}
@media (prefers-color-scheme:dark){:root{--page:#15101c;--ink:#f6f3fa;--primary:#7a52dc}}
*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;place-content:center;padding:24px;background:var(--page);color:var(--ink);font:500 16px/24px ui-rounded,"SF Pro Rounded",system-ui,sans-serif}
main{max-width:384px}
h1{font-size:24px;line-height:32px;font-weight:800;letter-spacing:-.02em}
p{margin-top:12px}
a{display:flex;align-items:center;justify-content:center;height:48px;margin-top:24px;border-radius:14px;background:var(--primary);color:#fff;font-weight:750;text-decoration:none}
a:focus-visible{outline:3px solid var(--primary);outline-offset:2px}`
/** The style element is built from one string, because the hash in the CSP covers every character between its tags. */
const styleTag = raw(`<style>${STYLE}</style>`)

/** Renders the error page for a rejected no-JS form: the error sentence, and a link back to the form. */
export async function renderErrorPage(c: EdgeContext, error: EdgeError): Promise<Response> {
  const hash = toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', encodeUtf8(STYLE))))
  c.header(
    'content-security-policy',
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>We couldn’t log you in · ${BRAND_NAME}</title>
          ${styleTag}
        </head>
        <body>
          <main>
            <h1>We couldn’t log you in</h1>
            <p role="alert">${error.message}</p>
            <a href="/user/login">Back to login</a>
          </main>
        </body>
      </html>`,
    error.status,
  )
}
