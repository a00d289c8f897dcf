import { html } from 'hono/html'
import { SIGN_UP_PATH } from '../../notifications/email-links.ts'
import { errorMessage, fieldProblem, getProblemMessage } from '../pages/form-fields.ts'
import { showPasswordButton } from '../pages/show-password-toggle.ts'
import { PASSWORD_LENGTH_MESSAGE } from '../password/password-rules.ts'
import { CORRECT_ICON } from '../two-factor/page-elements.ts'
import { MAIL_ICON, bottomLink, invitationCard, renderNote, planCard, signUpPage } from './sign-up-elements.ts'
import { findChosenPlan } from './sign-up-plan.ts'

const TITLE = 'Create your account'
export const MISSING_EMAIL_MESSAGE = 'Enter your email.'
export const INVALID_EMAIL_MESSAGE = 'That isn’t a valid email address. Check it and try again.'
/** Hidden field that people leave empty. Programs that fill in every field reveal themselves. */
export const DECOY_FIELD = 'website'

/** Problem with a field of the form; `field` is null if the problem is about no field. */
export interface SignUpProblem {
  readonly field: 'email' | 'password' | null
  readonly message: string
}

export interface SignUpForm {
  readonly email: string
  /** Page of the portal to open after the first sign-in. */
  readonly path: string
  readonly problem: SignUpProblem | null
  /** True if the visitor returned to change the email. */
  readonly isChange?: boolean
  /** Invitation whose link confirms the email. */
  readonly invitation?: { readonly token: string; readonly sentence: string } | null
}

const findProblem = ({ problem }: SignUpForm, field: SignUpProblem['field']): string | null =>
  getProblemMessage(problem, field)

function emailField(form: SignUpForm) {
  const { email, invitation = null, isChange = false } = form
  const message = findProblem(form, 'email')
  const isFixed = invitation !== null
  const hasFocus = message !== null || isChange || email === ''
  return html`<label for="email">Email</label>
    <input
      id="email"
      name="email"
      type="email"
      value="${email}"
      autocomplete="${isFixed ? 'username' : 'email'}"
      required
      maxlength="254"
      data-missing="${MISSING_EMAIL_MESSAGE}"
      data-wrong="${INVALID_EMAIL_MESSAGE}"
      ${isFixed ? html` readonly` : ''}${hasFocus ? html` autofocus` : ''}
      ${message === null ? '' : html` aria-invalid="true" aria-describedby="email-problem"`}
    />
    ${fieldProblem('email', message)}`
}

function passwordField(form: SignUpForm) {
  const { email, isChange = false } = form
  const message = findProblem(form, 'password')
  const hasFocus = message !== null || (email !== '' && !isChange && findProblem(form, 'email') === null)
  const describedBy = `${message === null ? '' : 'password-problem '}password-hint`
  return html`<div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        required
        minlength="10"
        maxlength="200"
        data-wrong="${PASSWORD_LENGTH_MESSAGE}"
        aria-describedby="${describedBy}"
        ${message === null ? '' : html` aria-invalid="true"`}${hasFocus ? html` autofocus` : ''}
      />${showPasswordButton('password')}
    </div>
    ${fieldProblem('password', message)}
    <p class="rule" id="password-hint" data-rule="password">${CORRECT_ICON}<span>10 characters or more</span></p>`
}

function formHead({ path, invitation = null }: SignUpForm) {
  if (invitation !== null)
    return html`${invitationCard(invitation.sentence)}
      <input type="hidden" name="invite" value="${invitation.token}" />`
  const plan = findChosenPlan(path)
  return plan === null ? html`<input type="hidden" name="path" value="${path}" />` : planCard(plan)
}

function leadSentence({ path, invitation = null }: SignUpForm): string {
  if (invitation !== null) return 'Choose a password to get started.'
  return findChosenPlan(path) === null ? 'One account for all your cameras.' : 'You’ll see the total before you pay.'
}

/** Renders the form for a new account. Works without a script. */
export function createAccountPage(form: SignUpForm, portalOrigin: string): string {
  const isInvited = (form.invitation ?? null) !== null
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">${leadSentence(form)}</p>
    <form method="post" action="${SIGN_UP_PATH}" novalidate>
      ${errorMessage(findProblem(form, null))} ${formHead(form)}
      <input name="${DECOY_FIELD}" autocomplete="off" tabindex="-1" aria-hidden="true" hidden />
      ${emailField(form)} ${passwordField(form)}
      <button class="primary" data-busy="Creating account…">Create account</button>
    </form>
    ${renderNote(
      MAIL_ICON,
      isInvited
        ? 'Your invitation confirms this address. Creating an account is free.'
        : 'We’ll email you a link to confirm your address. Creating an account is free.',
    )}
    ${bottomLink('Already have an account?', portalOrigin + form.path)}`
  return signUpPage(TITLE, content, portalOrigin)
}
