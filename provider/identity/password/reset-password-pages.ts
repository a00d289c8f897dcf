import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { RESET_EMAIL_INTERVAL_MS } from './reset-link-rows.ts'
import {
  PASSWORD_HINT,
  describeField,
  errorMessage,
  fieldProblem,
  getProblemMessage,
  passwordField,
  type FormProblem,
} from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'

const TITLE = 'Forgot your password?'
const NEW_TITLE = 'New password'

export function requestLinkPage(
  action: string,
  { email, problem }: { email: string; problem: FormProblem | null },
): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">Enter your email and we’ll send you a reset link.</p>
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
        ${describeField('email', problem, { focus: true })}
      />
      ${fieldProblem('email', getProblemMessage(problem, 'email'))}
      <button class="primary">Send reset link</button>
    </form>`
  return providerPage(TITLE, content)
}

/**
 * Confirms the request with the same text for every email address, known or not. `outboxUrl`: page with the emails of
 * this machine; null if real emails are sent.
 */
export function linkRequestedPage(
  email: string,
  action: string,
  { portalOrigin, outboxUrl }: { readonly portalOrigin: string; readonly outboxUrl: string | null },
): string {
  const delivery =
    outboxUrl === null
      ? html`<p class="note">Nothing yet? Check your spam folder and the address. Your current password still works.</p>
          <a class="primary" href="${portalOrigin}/live">Go to ${BRAND_NAME}</a>`
      : html`<p class="note">This computer doesn’t send email. Look in its outbox.</p>
          <a class="primary" href="${outboxUrl}">Open the outbox</a>`
  const content = html`<h1>Check your email</h1>
    <p class="lead" role="status">
      If ${email} has an account, we’ve emailed a reset link in the last ${RESET_EMAIL_INTERVAL_MS / 60_000} minutes.
      The link works once, for 30 minutes.
    </p>
    ${delivery}
    <p class="again"><a href="${action}">Use a different email</a></p>`
  return providerPage('Check your email', content)
}

/**
 * Renders the form for the new password. `link`: token of the reset link; `email` names the account for password
 * managers.
 */
export function newPasswordPage(
  action: string,
  { link, email, problem }: { link: string; email: string; problem: FormProblem | null },
): string {
  const content = html`<h1>${NEW_TITLE}</h1>
    <p class="lead">For ${email}. You’ll be logged out on all devices.</p>
    <form method="post" action="${action}" novalidate>
      ${errorMessage(getProblemMessage(problem, null))}
      <input type="hidden" name="link" value="${link}" />
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${passwordField('password', 'New password', {
        autocomplete: 'new-password',
        min: 10,
        hint: PASSWORD_HINT,
        problem,
        focus: true,
      })}
      ${passwordField('repeat', 'Confirm new password', { autocomplete: 'new-password', min: 10, problem })}
      <button class="primary">Set password</button>
    </form>`
  return providerPage(NEW_TITLE, content)
}

export function resetMessagePage(
  sentence: string,
  { href, label, isProblem }: { href: string; label: string; isProblem: boolean },
): string {
  const message = isProblem
    ? html`<p class="problem" role="alert">${sentence}</p>`
    : html`<p class="lead" role="status">${sentence}</p>`
  return providerPage(
    NEW_TITLE,
    html`<h1>${NEW_TITLE}</h1>
      ${message} <a class="primary" href="${href}">${label}</a>`,
  )
}
