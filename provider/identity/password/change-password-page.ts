import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import {
  PASSWORD_HINT,
  errorMessage,
  getProblemMessage,
  passwordField,
  type FormProblem,
} from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'

const TITLE = 'Change password'

/** Renders the form. `email`: email address that the page shows and that password managers use as username. */
export function changePasswordPage({ email, problem }: { email: string; problem: FormProblem | null }): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead">For ${email}. You’ll be logged out on all other devices.</p>
    <form method="post" action="/account/password" novalidate>
      ${errorMessage(getProblemMessage(problem, null))}
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${passwordField('old', 'Current password', {
        autocomplete: 'current-password',
        problem,
        focus: true,
      })}
      ${passwordField('password', 'New password', { autocomplete: 'new-password', min: 10, hint: PASSWORD_HINT, problem })}
      ${passwordField('repeat', 'Confirm new password', { autocomplete: 'new-password', min: 10, problem })}
      <button class="primary">Change password</button>
    </form>`
  return providerPage(TITLE, content)
}

export function passwordMessagePage(sentence: string, portalOrigin: string): string {
  const content = html`<h1>${TITLE}</h1>
    <p class="lead" role="status">${sentence}</p>
    <a class="primary" href="${portalOrigin}/live">Go to ${BRAND_NAME}</a>`
  return providerPage(TITLE, content)
}
