import { html } from 'hono/html'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { DEMO_PASSWORD } from '../../../contract/operator/operator-calls.ts'
import { describeField, errorMessage, fieldProblem, getProblemMessage, type FormProblem } from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'
import { showPasswordButton } from '../pages/show-password-toggle.ts'
import { passkeySignInForm, type PasskeyRequest } from '../passkeys/passkey-forms.ts'

interface DemoAccountOption {
  readonly email: string
  readonly label: string
}

export interface SignInPageProps {
  readonly action: string
  readonly email: string
  readonly problem: FormProblem | null
  /** Demo accounts to offer; none in production. */
  readonly accounts: readonly DemoAccountOption[]
  /** Demo accounts that the page shows only after a click. */
  readonly moreAccounts: readonly DemoAccountOption[]
  /** Path of the password reset; null if the provider has no email transport. */
  readonly resetPath: string | null
  /** URL of the page for a new account; null if visitors cannot create one. */
  readonly signUpUrl: string | null
  /** Passkey request; null without passkey support. */
  readonly passkey: PasskeyRequest | null
  readonly portalOrigin: string
}

const demoAccountForms = (action: string, accounts: readonly DemoAccountOption[]) =>
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

function demoAccountsSection({ action, accounts, moreAccounts }: SignInPageProps) {
  if (accounts.length === 0) return ''
  return html`<section class="demo" aria-labelledby="demo-accounts">
    <div class="demo-head">
      <h2 id="demo-accounts">Demo accounts</h2>
      <p>password <code>${DEMO_PASSWORD}</code></p>
    </div>
    ${demoAccountForms(action, accounts)}
    <details>
      <summary>Other plans and states</summary>
      ${demoAccountForms(action, moreAccounts)}
    </details>
  </section>`
}

function passwordSection({ email, problem, resetPath }: SignInPageProps) {
  const field = html`<label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      maxlength="200"
      ${describeField('password', problem, { focus: email !== '' })}
    />`
  const resetLink = resetPath === null ? '' : html`<a href="${resetPath}">Forgot password?</a>`
  return html`<div class="field">${field}${showPasswordButton('password')}${resetLink}</div>
    ${fieldProblem('password', getProblemMessage(problem, 'password'))}`
}

/** Renders the sign-in page. Works without script, except for passkeys and the eye button. */
export function signInPage(state: SignInPageProps): string {
  const { action, email, problem, passkey, signUpUrl, portalOrigin } = state
  const content = html`<h1>Log in</h1>
    <p class="lead">to see your cameras on ${BRAND_NAME}</p>
    <form method="post" action="${action}" novalidate>
      ${errorMessage(getProblemMessage(problem, null))}
      <label for="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="username"
        required
        maxlength="254"
        ${describeField('email', problem, { focus: email === '' })}
      />
      ${fieldProblem('email', getProblemMessage(problem, 'email'))} ${passwordSection(state)}
      <button class="primary">Log in</button>
    </form>
    ${passkey === null ? '' : passkeySignInForm(action, passkey)}
    ${signUpUrl === null ? '' : html`<p class="again">New here? <a href="${signUpUrl}">Create account</a></p>`}
    ${demoAccountsSection(state)}`
  const foot = html`<a href="mailto:${SUPPORT_ADDRESS}">Help</a><a href="${portalOrigin}/privacy">Privacy</a>`
  return providerPage('Log in', content, undefined, foot)
}
