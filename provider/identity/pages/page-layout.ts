import { html, raw } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { formatInitials } from '../../../contract/account/initials.ts'
import { BACK_ICON } from '../two-factor/page-elements.ts'
import { PROVIDER_PAGE_STYLE } from './page-styles.ts'

/**
 * Style element as one string, so that its content is exactly the style whose hash the content security policy
 * contains.
 */
const styleTag = raw(`<style>${PROVIDER_PAGE_STYLE}</style>`)
const WELCOME_TEXT = 'See who’s at the door and what happened while you were away.'

const renderHead = (title: string) =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · ${BRAND_NAME}</title>
    <meta name="description" content="${title} at ${BRAND_NAME}. ${WELCOME_TEXT}" />
    <link rel="icon" href="/assets/logo.svg" type="image/svg+xml" />
    <link rel="preload" href="/assets/nunito.woff2" as="font" type="font/woff2" crossorigin />
    ${styleTag}
  </head>`

type Html = ReturnType<typeof html>

/**
 * Renders a page of the provider: `welcomeTitle` and `welcomeText` on an illustration, `content` beside it, and
 * `footer` below.
 */
export function providerPage(
  title: string,
  content: Html,
  welcomeText = WELCOME_TEXT,
  footer: Html | string = '',
  welcomeTitle = 'Welcome home.',
): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        ${renderHead(title)}
        <body>
          <header class="picture">
            <img src="/assets/porch-night.svg" alt="" width="720" height="876" />
            <div class="words">
              <p class="welcome">${welcomeTitle}</p>
              <p>${welcomeText}</p>
            </div>
          </header>
          <main>
            <div class="form">
              <p class="brand">
                <img src="/assets/logo.svg" alt="" width="30" height="30" /><span>${BRAND_NAME}</span>
              </p>
              ${content}
            </div>
            ${footer === '' ? '' : html`<p class="foot">${footer}</p>`}
          </main>
        </body>
      </html> `,
  )
}

/** Renders an account page: a bar with the account's email, then a link to `back` (no link if null), then `content`. */
export function accountPage(
  title: string,
  { email, back }: { email: string; back: string | null },
  content: ReturnType<typeof html>,
): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        ${renderHead(title)}
        <body class="account">
          <header class="bar">
            <img src="/assets/logo.svg" alt="" width="28" height="28" /><strong>${BRAND_NAME}</strong>
            <span class="service">Account service</span>
            ${
              email === ''
                ? ''
                : html`<span class="initials" aria-hidden="true">${formatInitials(email)}</span
                    ><span class="email">${email}</span>`
            }
          </header>
          <main class="wide">
            ${back === null ? '' : html`<a class="back" href="${back}">${BACK_ICON}Back to account</a>`} ${content}
          </main>
        </body>
      </html> `,
  )
}
