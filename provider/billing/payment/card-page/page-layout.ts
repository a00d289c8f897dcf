import { html, raw } from 'hono/html'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import { formatInitials } from '../../../../contract/account/initials.ts'
import type { CardPurpose } from '../gateway-interface.ts'
import { CHEVRON_LEFT_ICON, LOCK_ICON, SHIELD_ICON } from './icons.ts'
import { CARD_PAGE_SCRIPT_PATH } from './browser-script.ts'
import { CARD_PAGE_STYLE } from './page-styles.ts'

type Html = ReturnType<typeof html>

/**
 * `<style>` element without added whitespace, because the hash in the content security policy covers the exact content
 * of the element.
 */
const styleTag = raw(`<style>${CARD_PAGE_STYLE}</style>`)

function renderPage(title: string, host: string, content: Html, hasScript: boolean): string {
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
          ${styleTag}${hasScript ? html`<script src="${CARD_PAGE_SCRIPT_PATH}" defer></script>` : ''}
        </head>
        <body>
          <header class="bar">
            <img src="/assets/logo.svg" alt="" width="28" height="28" /><strong>${BRAND_NAME}</strong>
            <span class="what">Card page</span>
            <span class="host">${LOCK_ICON}<span>${host}</span></span>
          </header>
          <main>${content}</main>
        </body>
      </html> `,
  )
}

const renderLeaveForm = (words: Html | string) =>
  html`<form method="post" action="/card"><button class="link" name="do" value="leave">${words}</button></form>`

const renderPurposePanel = ({ email, lines }: CardPurpose) => {
  const [first, ...more] = lines
  return html`<aside class="panel side" aria-label="About this page">
    <h2>For this account</h2>
    <div class="who">
      <span class="initials" aria-hidden="true">${formatInitials(email)}</span><span>${email}</span>
    </div>
    ${renderLeaveForm('Not you?')}
    <hr />
    <h2>What the card is for</h2>
    ${
      first === undefined
        ? html`<p class="first">Later payments</p>
            <p>It is kept for what you choose to buy. Nothing is bought by adding it.</p>`
        : html`<p class="first">${first}</p>
            ${more.map((line) => html`<p>${line}</p>`)}`
    }
    <hr class="only" />
    <p class="note">
      ${SHIELD_ICON}<span>Only this page sees the number. ${BRAND_NAME} keeps brand, last four and end date.</span>
    </p>
  </aside>`
}

/**
 * Renders the page of an unfinished card session. `form`: card form or confirmation form. `tests`: list of test cards,
 * or '' for none.
 */
export function renderCardPage(host: string, purpose: CardPurpose, form: Html, tests: Html | string): string {
  return renderPage(
    'Add a card',
    host,
    html`${renderLeaveForm(html`${CHEVRON_LEFT_ICON}Back without a card`)}
      <h1>Add a card</h1>
      <div class="grid">${renderPurposePanel(purpose)}${form}${tests}</div>`,
    true,
  )
}

export const renderConfirmationForm = (): Html =>
  html`<section class="panel form" aria-labelledby="ask">
    <form class="ask" method="post" action="/card">
      <h2 id="ask">Your bank asks: is it you?</h2>
      <p>It wants to know that you are adding this card. Nothing is charged by confirming.</p>
      <button class="primary" name="do" value="confirm" data-busy="Confirming ...">Yes, confirm</button>
      <button class="plain" name="do" value="refuse">No, it is not me</button>
      <p class="slow" role="status" hidden>Still asking your bank. You may leave this page: no card is added then.</p>
    </form>
  </section>`

/**
 * Renders the page for a browser without an open card session, for example because the session has expired or ended.
 * `sentence`: reason that the page shows.
 */
export function renderExpiredPage(host: string, portalOrigin: string, sentence: string): string {
  return renderPage(
    'Start again',
    host,
    html`<div class="panel over">
      <h1>Start again from ${BRAND_NAME}</h1>
      <p>${sentence}</p>
      <p>No card was saved and nothing was charged.</p>
      <a class="primary" href="${portalOrigin}/account/payment">Go to ${BRAND_NAME}</a>
    </div>`,
    false,
  )
}
