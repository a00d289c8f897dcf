import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { RESET_EMAIL_INTERVAL_MS } from './reset-link-rows.ts'
import { PASSWORD_HINT, passwordField, errorMessage } from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'

const TITLE = 'Forgot your password?'
const NEW_TITLE = 'New password'

export function requestLinkPage(action: string, { email, error }: { email: string; error: string | null }): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">Type your address. We send a link on which you choose a new one.</p>
    <form method="post" action="${action}">
      ${errorMessage(error)}
      <label for="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="username"
        required
        maxlength="254"
        autofocus
        ${error === null ? '' : html` aria-describedby="problem"`}
      />
      <button class="primary">Send the link</button>
    </form>`
  return providerPage(TITLE, content)
}

/** Confirms the request with the same text for every email address, known or not. */
export function linkRequestedPage(email: string, action: string, portalOrigin: string): string {
  const content = html`<h1>Look into your mail</h1>
    <p class="lead" role="status">
      If ${email} has an account here, we send it a link now, or sent one in the last
      ${RESET_EMAIL_INTERVAL_MS / 60_000} minutes. A link works once, for 30 minutes.
    </p>
    <p class="note">
      No mail? Look into the spam folder, and check the address. Your password stays as it is until you choose another.
    </p>
    <a class="primary" href="${portalOrigin}/live">Go to ${BRAND_NAME}</a>
    <p class="again"><a href="${action}">Use another address</a></p>`
  return providerPage('Look into your mail', content)
}

/**
 * Renders the form for the new password. `link`: token of the reset link; `email` names the account for password
 * managers.
 */
export function newPasswordPage(
  action: string,
  { link, email, error }: { link: string; email: string; error: string | null },
): string {
  const content = html`<h1>${NEW_TITLE}</h1>
    <p class="lead">of ${email}. Every device is signed out.</p>
    <form method="post" action="${action}">
      ${errorMessage(error)}
      <input type="hidden" name="link" value="${link}" />
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${passwordField('password', 'New password', {
        autocomplete: 'new-password',
        min: 10,
        hint: PASSWORD_HINT,
        invalid: error !== null,
        focus: true,
      })}
      ${passwordField('repeat', 'Repeat new password', { autocomplete: 'new-password', min: 10 })}
      <button class="primary">Set the password</button>
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
