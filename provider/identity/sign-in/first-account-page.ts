import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
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

export interface FirstAccountForm {
  readonly action: string
  readonly email: string
  readonly code: string
  readonly problem: FormProblem | null
}

/** Renders the page that replaces the sign-in page while the provider has no account. Works without script. */
export function firstAccountPage({ action, email, code, problem }: FirstAccountForm): string {
  const content = html`<h1>Create the first account</h1>
    <p class="lead">Welcome. The account you create now will own this home.</p>
    <form method="post" action="${action}" novalidate>
      ${errorMessage(getProblemMessage(problem, null))}
      <label for="setup_code">Setup code</label>
      <input
        id="setup_code"
        name="setup_code"
        type="text"
        value="${code}"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="40"
        ${describeField('setup_code', problem, { describedBy: ['code-hint'], focus: code === '' })}
      />
      ${fieldProblem('setup_code', getProblemMessage(problem, 'setup_code'))}
      <p class="hint" id="code-hint">You’ll find it in the terminal where you started ${BRAND_NAME}.</p>
      <label for="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        value="${email}"
        autocomplete="username"
        required
        maxlength="254"
        ${describeField('email', problem)}
      />
      ${fieldProblem('email', getProblemMessage(problem, 'email'))}
      ${passwordField('password', 'Password', { autocomplete: 'new-password', min: 10, hint: PASSWORD_HINT, problem })}
      ${passwordField('repeat', 'Confirm password', { autocomplete: 'new-password', min: 10, problem })}
      <button class="primary">Create account</button>
    </form>`
  return providerPage('Create the first account', content)
}
