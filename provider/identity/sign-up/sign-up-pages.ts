import { html } from 'hono/html'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { SIGN_UP_PATH } from '../../notifications/email-links.ts'
import { passwordField, toFieldProblem } from '../pages/form-fields.ts'
import { CORRECT_ICON } from '../two-factor/page-elements.ts'
import {
  INFO_ICON,
  MAIL_CHECK_ICON,
  MAIL_ICON,
  bottomLink,
  renderNote,
  planNote,
  signUpPage,
} from './sign-up-elements.ts'
import { DEFAULT_PATH, createSignUpUrl, createStepUrl } from './sign-up-path.ts'
import { findChosenPlan } from './sign-up-plan.ts'

const CHECK_TITLE = 'Check your email'
const EXPIRED_TITLE = 'This link has expired'

export interface CheckEmailState {
  readonly email: string
  readonly path: string
  /** Seconds until another email may be requested. */
  readonly waitS: number
  readonly wasResent: boolean
  /** True if only invited people may create an account, so that it is unknown whether an email was sent. */
  readonly isInviteOnly: boolean
  /** Page with the emails of this machine; null if real emails are sent. */
  readonly outboxUrl: string | null
}

function deliverySentence({ email, isInviteOnly, outboxUrl }: CheckEmailState) {
  const address = html`<strong>${email}</strong>`
  if (outboxUrl !== null)
    return html`This computer doesn’t send email. Open the outbox to find the email to ${address}. The link works for 24
    hours.`
  if (isInviteOnly)
    return html`If ${address} is invited, we’ve sent an email. The confirmation link works for 24 hours.`
  return html`We sent a confirmation link to ${address}. The link works for 24 hours.`
}

/** Confirms the request with the same text for every email address, known or not. */
export function checkEmailPage(state: CheckEmailState, portalOrigin: string): string {
  const { path, waitS, wasResent, outboxUrl } = state
  const content = html`<span class="badge">${MAIL_CHECK_ICON}</span>
    <h1 data-status="${createStepUrl('status')}" data-done="${createStepUrl('done')}">${CHECK_TITLE}</h1>
    <p class="lead">${deliverySentence(state)}</p>
    ${outboxUrl === null ? '' : html`<a class="primary" href="${outboxUrl}">Open the outbox</a>`}
    ${planNote(findChosenPlan(path))}
    <div class="pair">
      <form method="post" action="${SIGN_UP_PATH}">
        <button class="secondary" name="resend" value="1" data-wait="${waitS}" ${wasResent ? 'autofocus' : ''}>
          Resend
        </button>
      </form>
      <a class="secondary" href="${createStepUrl('change')}">Change email</a>
    </div>
    ${renderNote(
      INFO_ICON,
      `${outboxUrl === null ? 'Nothing yet? Check your spam folder. ' : ''}You can close this page. The link works on any device.`,
    )}
    ${bottomLink('Already confirmed?', portalOrigin + path)}
    ${wasResent ? html`<p class="toast" role="status">${CORRECT_ICON}New email requested.</p>` : ''}`
  return signUpPage(CHECK_TITLE, content, portalOrigin)
}

/** Renders the page after the confirmation. */
export function confirmedPage(path: string, portalOrigin: string): string {
  const plan = findChosenPlan(path)
  const next = plan === null ? 'Log in to see your cameras.' : `Log in to review the price of ${plan.name}.`
  const content = html`<span class="badge">${CORRECT_ICON}</span>
    <h1>Confirmed</h1>
    <p class="lead" role="status">Your ${BRAND_NAME} account is ready. ${next}</p>
    <a class="primary" href="${portalOrigin}${path}">Log in</a>`
  return signUpPage('Confirmed', content, portalOrigin)
}

/**
 * Renders the page that the confirmation email links to. It needs a click, because email scanners open links.
 * `asksPassword`: true in another browser than the one that signed up. Without the password, the owner of the address
 * could confirm an account that someone else has prepared with a password of their own.
 */
export function confirmEmailPage(
  form: {
    readonly link: string
    readonly email: string
    readonly asksPassword: boolean
    readonly error: string | null
  },
  portalOrigin: string,
): string {
  const { link, email, asksPassword, error } = form
  const password = asksPassword
    ? passwordField('password', 'Your password', {
        autocomplete: 'current-password',
        problem: toFieldProblem('password', error),
        focus: true,
      })
    : ''
  const content = html`<span class="badge">${MAIL_CHECK_ICON}</span>
    <h1>Confirm your email</h1>
    <p class="lead">This creates an account for <strong>${email}</strong>.</p>
    <form method="post" action="${SIGN_UP_PATH}" novalidate>
      <input type="hidden" name="link" value="${link}" />
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${password}
      <button class="primary" data-busy="Confirming…">Confirm email</button>
    </form>`
  return signUpPage('Confirm your email', content, portalOrigin)
}

/**
 * Renders the page for a link that has expired. `renewal`: the expired link and its address; null if the link is
 * unknown, so that the visitor must enter the address again.
 */
export function expiredLinkPage(
  renewal: { readonly link: string; readonly email: string; readonly path: string } | null,
  portalOrigin: string,
): string {
  const path = renewal?.path ?? DEFAULT_PATH
  const content = html`<span class="badge">${MAIL_ICON}</span>
    <h1>${EXPIRED_TITLE}</h1>
    ${
      renewal === null
        ? html`<p class="lead" role="alert">No account was created. Enter your email again to get a new link.</p>
            <a class="primary" href="${createSignUpUrl(path)}">Enter your email</a>`
        : html`<p class="lead" role="alert">We can send a new link to <strong>${renewal.email}</strong>.</p>
            ${planNote(findChosenPlan(path))}
            <form method="post" action="${SIGN_UP_PATH}">
              <button class="primary" name="expired" value="${renewal.link}">Send a new link</button>
            </form>`
    }
    ${bottomLink('Already confirmed?', portalOrigin + path)}`
  return signUpPage(EXPIRED_TITLE, content, portalOrigin)
}

/** Renders a page with one sentence and one button. */
export function signUpMessagePage(
  title: string,
  sentence: string,
  button: { readonly href: string; readonly label: string },
  portalOrigin: string,
): string {
  const content = html`<h1>${title}</h1>
    <p class="lead" role="status">${sentence}</p>
    <a class="primary" href="${button.href}">${button.label}</a>`
  return signUpPage(title, content, portalOrigin)
}

export const CLOSED_MESSAGE = `Sign-up is closed. To get an account, email ${SUPPORT_ADDRESS}.`
