import { html } from 'hono/html'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { DEMO_PASSWORD } from '../../../contract/operator/operator-calls.ts'
import { page } from '../pages/page-layout.ts'
import { showPasswordButton } from '../pages/show-password-toggle.ts'
import { signInByPasskeyForm, type PasskeyAsk } from '../passkeys/passkey-forms.ts'

interface DemoChoice {
  readonly email: string
  readonly label: string
}

export interface SignInState {
  readonly action: string
  readonly email: string
  /** One sentence, or null on the first visit. */
  readonly error: string | null
  /** Demo accounts to offer; none in production. */
  readonly accounts: readonly DemoChoice[]
  /** More demo accounts, shown after a click. */
  readonly moreAccounts: readonly DemoChoice[]
  /** Path of the password reset; null if no email is sent. */
  readonly forgotten: string | null
  /** Passkey request; null without passkey support. */
  readonly passkey: PasskeyAsk | null
  /** Origin of the portal, for the link to the privacy page. */
  readonly portalOrigin: string
}

/** One form per account: its button signs in immediately. */
const choices = (action: string, accounts: readonly DemoChoice[]) =>
  html`<ul>
    ${accounts.map(
      ({ email, label }) =>
        html`<li>
          <form method="post" action="${action}">
            <input type="hidden" name="email" value="${email}" /><input
              type="hidden"
              name="password"
              value="${DEMO_PASSWORD}"
            />
            <button class="chip" title="${email}">${label}</button>
          </form>
        </li>`,
    )}
  </ul>`

function demoAccounts({ action, accounts, moreAccounts }: SignInState) {
  if (accounts.length === 0) return ''
  return html`<section class="demo" aria-labelledby="demo-accounts">
    <div class="demo-head">
      <h2 id="demo-accounts">Demo accounts</h2>
      <p>password <code>${DEMO_PASSWORD}</code></p>
    </div>
    ${choices(action, accounts)}
    <details>
      <summary>Other plans and states</summary>
      ${choices(action, moreAccounts)}
    </details>
  </section>`
}

/** Renders the password field, then in tab order the eye button and the link to reset the password. */
function passwordPart({ email, forgotten }: SignInState, invalid: ReturnType<typeof html> | string) {
  const field = html`<label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      maxlength="200"
      ${email === '' ? '' : html` autofocus`}${invalid}
    />`
  const way = forgotten === null ? '' : html`<a href="${forgotten}">Forgot it?</a>`
  return html`<div class="field">${field}${showPasswordButton('password')}${way}</div>`
}

/** Renders the sign-in page. Works without script, except for passkeys and the eye button. */
export function signInPage(state: SignInState): string {
  const { action, email, error, passkey, portalOrigin } = state
  const invalid = error === null ? '' : html` aria-describedby="problem"`
  const content = html`<h1>Sign in</h1>
    <p class="lead">to see your cameras on ${BRAND_NAME}</p>
    <form method="post" action="${action}">
      ${error === null ? '' : html`<p class="problem" id="problem" role="alert">${error}</p>`}
      <label for="email">E-mail</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="username"
        required
        maxlength="254"
        ${email === '' ? html` autofocus` : ''}${invalid}
      />
      ${passwordPart(state, invalid)}
      <button class="primary">Sign in</button>
    </form>
    ${passkey === null ? '' : signInByPasskeyForm(action, passkey)}${demoAccounts(state)}`
  const foot = html`<br /><a href="mailto:${SUPPORT_ADDRESS}">Help</a><a href="${portalOrigin}/privacy">Privacy</a>`
  return page('Sign in', content, undefined, foot)
}
