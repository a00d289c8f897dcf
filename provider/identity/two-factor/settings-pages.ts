import { html, raw } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { errorMessage, passwordField, toFieldProblem } from '../pages/form-fields.ts'
import { otpauthUrl } from './one-time-codes.ts'
import { PASSKEYS_PATH } from '../passkeys/settings-path.ts'
import { renderAccountPage, type PageAccount } from '../pages/account-page-frame.ts'
import { TWO_FACTOR_SCRIPT_PATH } from './browser-script.ts'
import { COPY_ICON, CORRECT_ICON, oneTimeCodeField, PRINT_ICON, renderQrCode, SAVE_ICON } from './page-elements.ts'

export const SECOND_FACTOR_PATH = '/account/second-factor'

const SETUP_TITLE = 'Set up two-step verification'
const LEAD_TEXT =
  'Your password alone won’t be enough to log in. Two-step verification stays off until you finish step 3.'

const passkeysLink = ({ passkeys }: PageAccount) =>
  passkeys ? html`<p class="again"><a href="${PASSKEYS_PATH}">Your passkeys</a></p>` : ''

/**
 * Renders the page before the setup. It asks for the password, so that a stranger at an unattended screen cannot start
 * the setup.
 */
export function factorDisabledPage(pageAccount: PageAccount, error: string | null): string {
  const content = html`<div class="cards one">
      <section class="card">
        <h2>You’ll need an authenticator app</h2>
        <p>Any authenticator app works. It shows a new code every 30 seconds, even offline.</p>
        <form method="post" action="${SECOND_FACTOR_PATH}" novalidate>
          <input type="hidden" name="email" value="${pageAccount.email}" autocomplete="username" />
          ${passwordField('password', 'Your password', {
            autocomplete: 'current-password',
            problem: toFieldProblem('password', error),
          })}
          <button class="primary" name="step" value="begin">Get started</button>
        </form>
      </section>
    </div>
    ${passkeysLink(pageAccount)}`
  return renderAccountPage(SETUP_TITLE, LEAD_TEXT, pageAccount, content)
}

/**
 * State of the setup page. Steps 1 and 2 are always visible. A correct code in step 2 creates the recovery codes that
 * step 3 shows.
 */
interface FactorSetupState {
  /** base32 */
  readonly key: string
  readonly typed: string
  readonly codes: readonly string[] | null
  readonly error: string | null
}

function setupStepsOneAndTwo(email: string, { key, typed, codes, error }: FactorSetupState) {
  const wrong = codes === null ? error : null
  return html`<section class="card">
    <h2><b>1</b>Scan this with an authenticator app</h2>
    <div class="scan">
      ${renderQrCode(otpauthUrl(key, email))}
      <div>
        <p>Can’t scan the code? Enter this key. <code class="mono">${key.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
        ${copyButton('Copy key', key)}
      </div>
    </div>
    <hr />
    <h2><b>2</b>Enter the code from the app</h2>
    ${
      codes === null
        ? html`<form method="post" action="${SECOND_FACTOR_PATH}" novalidate>
            ${errorMessage(wrong)}${oneTimeCodeField({ invalid: wrong !== null, focus: wrong !== null })}
            <button class="primary" name="step" value="code">Verify code</button>
          </form>`
        : html`${oneTimeCodeField({ value: typed })}
            <p class="right" role="status">${CORRECT_ICON}Code verified</p>`
    }
  </section>`
}

const recoveryCodesDataUrl = (email: string, codes: readonly string[]) =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(`${BRAND_NAME} recovery codes for ${email}\n\n${codes.join('\n')}\n`)}`

/** Button that copies `text`. The script shows it; without the script it stays hidden. */
const copyButton = (label: string, text: string) =>
  html`<button type="button" class="secondary save" data-copy="${text}" hidden>
    ${COPY_ICON}<span aria-live="polite">${label}</span>
  </button>`

const scriptTag = raw(`<script src="${TWO_FACTOR_SCRIPT_PATH}" defer></script>`)

/** Renders the recovery codes. No later page can show them, because only their hashes are stored. */
function recoveryCodeList(email: string, codes: readonly string[]) {
  return html`<p>
      Use these to log in without your phone. Each works once. Save them now, because we can’t show them again.
    </p>
    <ul class="codes">
      ${codes.map((code) => html`<li>${code}</li>`)}
    </ul>
    <div class="save-ways">
      <a
        class="secondary save"
        download="${BRAND_NAME.toLowerCase()}-recovery-codes.txt"
        href="${recoveryCodesDataUrl(email, codes)}"
        >${SAVE_ICON}Save</a
      >
      <button type="button" class="secondary save" data-print hidden>${PRINT_ICON}Print</button>
      ${copyButton('Copy', codes.join('\n'))}
    </div>
    <p class="hint" data-unprintable>Or print this page. Only the codes are printed.</p>`
}

function setupStepThree(email: string, { codes, error }: FactorSetupState) {
  if (codes === null)
    return html`<section class="card">
      <h2><b>3</b>Save your recovery codes</h2>
      <p>Ten codes to log in without your phone. They appear after you verify the code in step 2.</p>
    </section>`
  return html`<section class="card">
    <h2><b>3</b>Save these recovery codes</h2>
    ${recoveryCodeList(email, codes)}
    <form method="post" action="${SECOND_FACTOR_PATH}">
      ${errorMessage(error)}
      <label class="tick" for="kept"
        ><input id="kept" name="kept" type="checkbox" value="1" required />I’ve saved these codes</label
      >
      <button class="primary" name="step" value="on">Turn on</button>
      <p class="hint mid">Check the box first. You’ll be logged out on all other devices.</p>
    </form>
  </section>`
}

export function factorSetupPage(pageAccount: PageAccount, state: FactorSetupState): string {
  const { email } = pageAccount
  return renderAccountPage(
    SETUP_TITLE,
    LEAD_TEXT,
    pageAccount,
    html`<div class="cards two">${setupStepsOneAndTwo(email, state)}${setupStepThree(email, state)}</div>
      ${scriptTag}`,
  )
}

/**
 * Renders the page of an enabled factor: number of remaining recovery codes, and a form with two buttons, which renew
 * the codes or turn the factor off.
 */
export function factorEnabledPage(pageAccount: PageAccount, codesLeft: number, error: string | null): string {
  const left = codesLeft === 1 ? 'one recovery code' : `${codesLeft === 0 ? 'no' : codesLeft} recovery codes`
  const content = html`<div class="cards one">
      <section class="card">
        <h2>Recovery codes</h2>
        <p>You have ${left} left. New codes replace all earlier ones.</p>
        <form method="post" action="${SECOND_FACTOR_PATH}" novalidate>
          <input type="hidden" name="email" value="${pageAccount.email}" autocomplete="username" />
          ${passwordField('password', 'Password or code', {
            autocomplete: 'current-password',
            problem: toFieldProblem('password', error),
            hint: 'Use your password, the 6-digit code from your app or a recovery code.',
          })}
          <button class="primary" name="step" value="renew">Get new recovery codes</button>
          <p class="hint mid">To switch phones, turn two-step verification off and set it up again.</p>
          <button class="secondary" name="step" value="off">Turn off</button>
        </form>
      </section>
    </div>
    ${passkeysLink(pageAccount)}`
  return renderAccountPage(
    'Two-step verification is on',
    'When you log in with your password, you also need a code.',
    pageAccount,
    content,
  )
}

export function newRecoveryCodesPage(pageAccount: PageAccount, codes: readonly string[]): string {
  const content = html`<div class="cards one">
    <section class="card">
      <h2>Save these recovery codes</h2>
      ${recoveryCodeList(pageAccount.email, codes)}
    </section>
    ${scriptTag}
  </div>`
  return renderAccountPage('New recovery codes', 'Your earlier codes no longer work.', pageAccount, content)
}

export function factorMessagePage(title: string, sentence: string, pageAccount: PageAccount): string {
  return renderAccountPage(
    title,
    sentence,
    pageAccount,
    html`<a class="primary" href="${pageAccount.portalOrigin}/live">Go to ${BRAND_NAME}</a>`,
  )
}
