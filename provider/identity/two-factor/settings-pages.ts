import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { passwordField, problem } from '../pages/form-fields.ts'
import { keyAddress } from './one-time-codes.ts'
import { PASSKEYS_PATH } from '../passkeys/settings-path.ts'
import { framed, type PageAccount } from '../pages/account-page-frame.ts'
import { digitsField, qrCode, RIGHT_ICON, SAVE_ICON } from './page-elements.ts'

export const FACTOR_PATH = '/account/second-factor'

const SET_UP = 'Set up your second factor'
const LEAD = 'With it, your password alone opens nothing. Off until you finish step 3.'

const passkeysLink = ({ passkeys }: PageAccount) =>
  passkeys ? html`<p class="again"><a href="${PASSKEYS_PATH}">Your passkeys</a></p>` : ''

/** Page before setup: asks for the password, so that an unattended screen is not enough. */
export function offPage(pageAccount: PageAccount, error: string | null): string {
  const content = html`<div class="cards one">
      <section class="card">
        <h2>You need an authenticator app</h2>
        <p>Any that scans a QR code: it shows a new code every 30 seconds, also without a network.</p>
        <form method="post" action="${FACTOR_PATH}">
          ${problem(error)}<input type="hidden" name="email" value="${pageAccount.email}" autocomplete="username" />
          ${passwordField('password', 'Your password', { autocomplete: 'current-password', invalid: error !== null })}
          <button class="primary" name="step" value="begin">Begin</button>
        </form>
      </section>
    </div>
    ${passkeysLink(pageAccount)}`
  return framed(SET_UP, LEAD, pageAccount, content)
}

/**
 * State of the setup page: steps 1 and 2, and also step 3 once `codes` exist. The codes are created when the code in
 * step 2 is correct.
 */
interface SettingUp {
  /** base32 */
  readonly key: string
  /** Typed value of step 2. */
  readonly typed: string
  readonly codes: readonly string[] | null
  readonly error: string | null
}

function firstSteps(email: string, { key, typed, codes, error }: SettingUp) {
  const wrong = codes === null ? error : null
  return html`<section class="card">
    <h2><b>1</b>Scan this with an authenticator app</h2>
    <div class="scan">
      ${qrCode(keyAddress(key, email))}
      <p>No camera at hand? Type this key. <code class="mono">${key.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
    </div>
    <hr />
    <h2><b>2</b>Type the code it shows</h2>
    ${
      codes === null
        ? html`<form method="post" action="${FACTOR_PATH}">
            ${problem(wrong)}${digitsField({ invalid: wrong !== null, focus: wrong !== null })}
            <button class="primary" name="step" value="code">Check the code</button>
          </form>`
        : html`${digitsField({ value: typed })}
            <p class="right" role="status">${RIGHT_ICON}That is right</p>`
    }
  </section>`
}

const textFile = (email: string, codes: readonly string[]) =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(`${BRAND_NAME} recovery codes of ${email}\n\n${codes.join('\n')}\n`)}`

/** Shows the recovery codes once: they are stored as hashes. */
function codeList(email: string, codes: readonly string[]) {
  return html`<p>
      Each works once, when your phone is away. They are shown only now; we keep no copy that can be read.
    </p>
    <ul class="codes">
      ${codes.map((code) => html`<li>${code}</li>`)}
    </ul>
    <a class="secondary save" download="${BRAND_NAME.toLowerCase()}-recovery-codes.txt" href="${textFile(email, codes)}"
      >${SAVE_ICON}Save</a
    >
    <p class="hint">Or print this page: only the codes come out.</p>`
}

function lastStep(email: string, { codes, error }: SettingUp) {
  if (codes === null)
    return html`<section class="card">
      <h2><b>3</b>Keep the recovery codes</h2>
      <p>Ten codes that open your account when your phone is away. They come when the code of step 2 is right.</p>
    </section>`
  return html`<section class="card">
    <h2><b>3</b>Keep these recovery codes</h2>
    ${codeList(email, codes)}
    <form method="post" action="${FACTOR_PATH}">
      ${problem(error)}
      <label class="tick" for="kept"
        ><input id="kept" name="kept" type="checkbox" value="1" required />I have put the codes where I find them
        again</label
      >
      <button class="primary" name="step" value="on">Turn it on</button>
      <p class="hint mid">Tick the box first. Every other device is signed out.</p>
    </form>
  </section>`
}

export function setUpPage(pageAccount: PageAccount, state: SettingUp): string {
  const { email } = pageAccount
  return framed(
    SET_UP,
    LEAD,
    pageAccount,
    html`<div class="cards two">${firstSteps(email, state)}${lastStep(email, state)}</div>`,
  )
}

/**
 * Page for an enabled factor: displays the number of remaining recovery codes, with forms to renew them and to turn the
 * factor off.
 */
export function onPage(pageAccount: PageAccount, codesLeft: number, error: string | null): string {
  const left = codesLeft === 1 ? 'One recovery code is' : `${codesLeft === 0 ? 'No' : codesLeft} recovery codes are`
  const content = html`<div class="cards one">
      <section class="card">
        <h2>Change it</h2>
        <p>${left} left. New ones take the place of all earlier ones.</p>
        <form method="post" action="${FACTOR_PATH}">
          ${problem(error)}<input type="hidden" name="email" value="${pageAccount.email}" autocomplete="username" />
          ${passwordField('password', 'Your password or a code', {
            autocomplete: 'current-password',
            invalid: error !== null,
            hint: 'A code is the 6 digits of your app, or a recovery code.',
          })}
          <button class="primary" name="step" value="renew">Make new recovery codes</button>
          <p class="hint mid">To use another phone, turn it off and set it up again.</p>
          <button class="secondary" name="step" value="off">Turn it off</button>
        </form>
      </section>
    </div>
    ${passkeysLink(pageAccount)}`
  return framed('Your second factor is on', 'Signing in asks for your password and a code.', pageAccount, content)
}

export function newCodesPage(pageAccount: PageAccount, codes: readonly string[]): string {
  const content = html`<div class="cards one">
    <section class="card">
      <h2>Keep these recovery codes</h2>
      ${codeList(pageAccount.email, codes)}
    </section>
  </div>`
  return framed('New recovery codes', 'The earlier ones open nothing any more.', pageAccount, content)
}

/** Renders one sentence about the result or the error, with a link onward. */
export function factorSentencePage(title: string, sentence: string, pageAccount: PageAccount): string {
  return framed(
    title,
    sentence,
    pageAccount,
    html`<a class="primary" href="${pageAccount.portalOrigin}/live">Go to ${BRAND_NAME}</a>`,
  )
}
