import { html } from 'hono/html'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { SIGN_UP_PATH } from '../../notifications/email-links.ts'
import { PASSWORD_HINT, errorMessage, passwordField } from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'

const TITLE = 'Create account'
/** Hidden field that people leave empty. Programs that fill in every field reveal themselves. */
export const DECOY_FIELD = 'website'

/** Page of the portal that opens if the visitor wanted no other page. */
export const DEFAULT_PATH = '/live'

export interface SignUpForm {
  readonly email: string
  /** Page of the portal to open after the first sign-in. */
  readonly path: string
  readonly error: string | null
}

export const createSignUpUrl = (path: string): string => `${SIGN_UP_PATH}?${new URLSearchParams({ path }).toString()}`

const logInLink = (portalOrigin: string, path: string) =>
  html`<p class="again">Already have an account? <a href="${portalOrigin}${path}">Log in</a></p>`

export function createAccountPage({ email, path, error }: SignUpForm, portalOrigin: string): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">We’ll send you an email to confirm your address.</p>
    <form method="post" action="${SIGN_UP_PATH}">
      ${errorMessage(error)}
      <input type="hidden" name="path" value="${path}" />
      <input name="${DECOY_FIELD}" autocomplete="off" tabindex="-1" aria-hidden="true" hidden />
      <label for="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="email"
        required
        maxlength="254"
        ${email === '' ? html` autofocus` : ''}${error === null ? '' : html` aria-describedby="problem"`}
      />
      ${passwordField('password', 'Password', {
        autocomplete: 'new-password',
        min: 10,
        hint: PASSWORD_HINT,
        invalid: error !== null,
        focus: email !== '',
      })}
      <button class="primary">Create account</button>
    </form>
    ${logInLink(portalOrigin, path)}`
  return providerPage(TITLE, content)
}

/**
 * Confirms the request with the same text for every email address, known or not. `outboxUrl`: page with the emails of
 * this machine; null if real emails are sent.
 */
export function checkEmailPage({ email, path }: Omit<SignUpForm, 'error'>, outboxUrl: string | null): string {
  const delivery =
    outboxUrl === null
      ? html`<p class="lead" role="status">We’ve sent an email to ${email}. Its link works for 24 hours.</p>
          <p class="note">Nothing yet? Check your spam folder and the address.</p>`
      : html`<p class="lead" role="status">
            This computer sends no email. The message to ${email} is in its outbox. The link works for 24 hours.
          </p>
          <a class="primary" href="${outboxUrl}">Open the outbox</a>`
  const content = html`<h1>Check your email</h1>
    ${delivery}
    <p class="again"><a href="${createSignUpUrl(path)}">Use another address</a></p>`
  return providerPage('Check your email', content)
}

/**
 * Renders the page that the confirmation email links to. It needs a click, because email scanners open links.
 * `asksPassword`: true in another browser than the one that signed up. Without the password, the owner of the address
 * could confirm an account that someone else has prepared with a password of their own.
 */
export function confirmEmailPage(form: {
  readonly link: string
  readonly email: string
  readonly asksPassword: boolean
  readonly error: string | null
}): string {
  const { link, email, asksPassword, error } = form
  const password = asksPassword
    ? passwordField('password', 'Password that you chose', {
        autocomplete: 'current-password',
        invalid: error !== null,
        focus: true,
      })
    : ''
  const content = html`<h1>Confirm your email</h1>
    <p class="lead">This creates the account ${email}.</p>
    <form method="post" action="${SIGN_UP_PATH}">
      ${errorMessage(error)}
      <input type="hidden" name="link" value="${link}" />
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${password}
      <button class="primary">Confirm email</button>
    </form>`
  return providerPage('Confirm your email', content)
}

/** Renders the page for a confirmation link that has expired. */
export function expiredLinkPage(sentence: string, portalOrigin: string): string {
  const content = html`<h1>Confirm your email</h1>
    <p class="problem" role="alert">${sentence}</p>
    <a class="primary" href="${createSignUpUrl(DEFAULT_PATH)}">Create account</a>
    ${logInLink(portalOrigin, DEFAULT_PATH)}`
  return providerPage('Confirm your email', content)
}

export function signUpMessagePage(
  title: string,
  sentence: string,
  button: { readonly href: string; readonly label: string },
): string {
  return providerPage(
    title,
    html`<h1>${title}</h1>
      <p class="lead" role="status">${sentence}</p>
      <a class="primary" href="${button.href}">${button.label}</a>`,
  )
}

export const CLOSED_MESSAGE = `Accounts are created by your provider. Ask ${BRAND_NAME} at ${SUPPORT_ADDRESS}.`
