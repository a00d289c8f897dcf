import { html, raw } from 'hono/html'
import { BRAND_NAME } from '../../contract/brand.ts'
import { STYLE } from './style.ts'

/** In one piece: the policy's hash covers every character between the tags. */
const styleTag = raw(`<style>${STYLE}</style>`)

/** A whole page of the provider: the drawing on one side, `content` on the other. */
export function page(title: string, content: ReturnType<typeof html>): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · ${BRAND_NAME}</title>
          <link rel="icon" href="/assets/logo.svg" type="image/svg+xml" />
          <link rel="preload" href="/assets/nunito.woff2" as="font" type="font/woff2" crossorigin />
          ${styleTag}
        </head>
        <body>
          <header class="picture">
            <img src="/assets/porch-night.svg" alt="" width="720" height="876" />
            <div class="words">
              <p class="welcome">Welcome home.</p>
              <p>See who is at the door, and what happened while you were away.</p>
            </div>
          </header>
          <main>
            <div class="form">
              <p class="brand">
                <img src="/assets/logo.svg" alt="" width="30" height="30" /><span>${BRAND_NAME}</span>
              </p>
              ${content}
            </div>
            <p class="foot">You are on the ${BRAND_NAME} account service</p>
          </main>
        </body>
      </html> `,
  )
}
