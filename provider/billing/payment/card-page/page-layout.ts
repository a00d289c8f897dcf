import { html, raw } from 'hono/html'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import { formatInitials } from '../../../../contract/account/initials.ts'
import type { CardPurpose } from '../gateway-interface.ts'
import { describeUnpaidCharge } from '../purpose-notes.ts'
import { CHEVRON_LEFT_ICON, LOCK_ICON, MONEY_ICON, SHIELD_ICON } from './icons.ts'
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
            <span class="host"
              >${LOCK_ICON}<span><span class="what">Secure payment · </span>${host}</span></span
            >
          </header>
          <main>${content}</main>
        </body>
      </html> `,
  )
}

const renderLeaveForm = (words: Html | string) =>
  html`<form method="post" action="/card"><button class="link" name="do" value="leave">${words}</button></form>`

const renderNote = (symbol: Html, text: string, style = '') =>
  html`<p class="note ${style}">${symbol}<span>${text}</span></p>`

function renderNotes({ unpaid }: CardPurpose): Html {
  if (unpaid === undefined)
    return html`<hr />
      ${renderNote(
        SHIELD_ICON,
        `Only this page sees your card number. ${BRAND_NAME} stores the brand, last four digits and expiration date.`,
      )}
      <hr class="only" />`
  const { plan, charge } = describeUnpaidCharge(unpaid)
  return html`<hr />
    ${plan === null ? '' : renderNote(SHIELD_ICON, plan, 'always')}
    ${renderNote(MONEY_ICON, charge, plan === null ? 'always' : '')}
    <hr />`
}

/** Renders what the card pays, with the amount first, then the account that it is added to. */
const renderPurposePanel = (purpose: CardPurpose) => {
  const { email, lines, amount, unpaid } = purpose
  const [plan, ...more] = lines
  return html`<aside class="panel side" aria-label="Payment summary">
    ${
      plan === undefined
        ? html`<h2>For future purchases</h2>
            <p>You won’t be charged for saving a card. Choose what to buy later.</p>`
        : html`<h2>${plan}</h2>
            ${amount === undefined ? '' : html`<p class="amount">${amount}${unpaid === undefined ? '' : ' due'}</p>`}
            ${more.map((line) => html`<p>${line}</p>`)}`
    }
    ${renderNotes(purpose)}
    <div class="who">
      <span class="initials" aria-hidden="true">${formatInitials(email)}</span><span>${email}</span>
      ${renderLeaveForm('Not you?')}
    </div>
  </aside>`
}

const renderSteps = (amount: string) =>
  html`<ol class="steps" aria-label="Steps">
    <li aria-current="step"><b aria-hidden="true">1</b>Add a card</li>
    <li><b aria-hidden="true">2</b>Pay ${amount}</li>
  </ol>`

/**
 * Renders the page of an unfinished card session. `form`: card form or confirmation form. `tests`: list of test cards,
 * or '' for none.
 */
export function renderCardPage(host: string, purpose: CardPurpose, form: Html, tests: Html | string): string {
  const { amount, unpaid } = purpose
  const backTarget = unpaid === undefined ? BRAND_NAME : 'Services'
  const title = amount === undefined ? 'Add a card' : `Add a card to pay ${amount}`
  return renderPage(
    title,
    host,
    html`${renderLeaveForm(html`${CHEVRON_LEFT_ICON}Back to ${backTarget}`)}
      <div class="head">
        <h1>${title}</h1>
        ${amount === undefined ? '' : renderSteps(amount)}
      </div>
      <div class="grid">${renderPurposePanel(purpose)}${form}${tests}</div>`,
    true,
  )
}

export const renderConfirmationForm = (): Html =>
  html`<section class="panel form" aria-labelledby="ask">
    <form class="ask" method="post" action="/card">
      <h2 id="ask">Your bank wants to confirm it’s you</h2>
      <p>Confirm that you’re adding this card. You won’t be charged.</p>
      <button class="primary" name="do" value="confirm" data-busy="Confirming…">Yes, confirm</button>
      <button class="plain" name="do" value="refuse">No, it’s not me</button>
      <p class="slow" role="status" hidden>Still waiting for your bank. If you leave this page, no card is added.</p>
    </form>
  </section>`

/**
 * Renders the page for a browser without an open card session, for example because the session has expired or ended.
 * `sentence`: reason that the page shows.
 */
export function renderExpiredPage(host: string, portalOrigin: string, sentence: string): string {
  return renderPage(
    'Start over',
    host,
    html`<div class="panel over">
      <h1>Start over in ${BRAND_NAME}</h1>
      <p>${sentence}</p>
      <p>You weren’t charged on this page.</p>
      <a class="primary" href="${portalOrigin}/account/payment">Go to ${BRAND_NAME}</a>
    </div>`,
    false,
  )
}
