import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { PASSWORD_HINT, passwordField, errorMessage } from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'

export interface FirstAccountForm {
  readonly action: string
  readonly email: string
  readonly code: string
  readonly error: string | null
}

/** Renders the page that replaces the sign-in page while the provider has no account. Works without script. */
export function firstAccountPage({ action, email, code, error }: FirstAccountForm): string {
  const invalid = error === null ? '' : html` aria-describedby="problem"`
  const content = html`<h1>Create the first account</h1>
    <p class="lead">Welcome. The account you create now will own this home.</p>
    <form method="post" action="${action}">
      ${errorMessage(error)}
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
        aria-describedby="${error === null ? '' : 'problem '}code-hint"
        ${code === '' ? html` autofocus` : ''}
      />
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
        ${invalid}
      />
      ${passwordField('password', 'Password', { autocomplete: 'new-password', min: 10, hint: PASSWORD_HINT })}
      ${passwordField('repeat', 'Repeat password', { autocomplete: 'new-password', min: 10 })}
      <button class="primary">Create account</button>
    </form>`
  return providerPage('Create the first account', content)
}
