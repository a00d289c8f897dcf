import { html } from 'hono/html'
import { formatFullDay } from '../../notifications/email/email-format.ts'
import { errorMessage, passwordField, toFieldProblem } from '../pages/form-fields.ts'
import { SECOND_FACTOR_PATH } from '../two-factor/settings-pages.ts'
import { renderAccountPage, type PageAccount } from '../pages/account-page-frame.ts'
import { passkeySetupForm, type PasskeyRequest } from './passkey-forms.ts'
import { PASSKEYS_MAX, type Passkey } from './passkey-rows.ts'
import { PASSKEYS_PATH } from './settings-path.ts'

const TITLE = 'Your passkeys'
const LEAD_TEXT = 'Log in with your fingerprint, face, or device PIN instead of your password.'

function passkeyCard({ id, name, createdAt, lastUsedAt }: Passkey) {
  return html`<li>
    <p>
      <strong>${name}</strong>
      <span
        >Created on ${formatFullDay(createdAt)} ·
        ${lastUsedAt === null ? 'never used' : `last used on ${formatFullDay(lastUsedAt)}`}</span
      >
    </p>
    <form method="post" action="${PASSKEYS_PATH}">
      <input type="hidden" name="id" value="${id}" />
      <button class="chip" name="step" value="remove" aria-label="Remove ${name}">Remove</button>
    </form>
  </li>`
}

function passkeyList(passkeys: readonly Passkey[], notice: string | null) {
  return html`<section class="card">
    <h2>Saved passkeys</h2>
    ${notice === null ? '' : html`<p role="status">${notice}</p>`}
    ${
      passkeys.length === 0
        ? html`<p>No passkeys yet.</p>`
        : html`<ul class="passkeys">
              ${passkeys.map(passkeyCard)}
            </ul>
            <p class="hint">Removing a passkey logs you out on all other devices.</p>`
    }
  </section>`
}

function passwordForm(email: string, error: string | null, { step, id = '' }: { step: string; id?: string }) {
  return html`<form method="post" action="${PASSKEYS_PATH}" novalidate>
    <input type="hidden" name="email" value="${email}" autocomplete="username" />
    ${id === '' ? '' : html`<input type="hidden" name="id" value="${id}" />`}
    ${passwordField('password', 'Your password', {
      autocomplete: 'current-password',
      problem: toFieldProblem('password', error),
    })}
    ${
      step === 'remove'
        ? html`<button class="secondary danger" name="step" value="remove">Remove passkey</button>`
        : html`<button class="primary" name="step" value="${step}">Continue</button>`
    }
  </form>`
}

/** Renders the list of an account's passkeys and the form to add a passkey. `said`: message about the last action. */
export function passkeysPage(
  pageAccount: PageAccount,
  passkeys: readonly Passkey[],
  { error = null, said: notice = null }: { readonly error?: string | null; readonly said?: string | null } = {},
): string {
  const addSection = html`<section class="card">
    <h2>Add a passkey</h2>
    ${
      passkeys.length >= PASSKEYS_MAX
        ? html`${errorMessage(error)}
            <p>You already have ${PASSKEYS_MAX} passkeys, the maximum. To add another, remove a passkey first.</p>`
        : html`<p>Enter your password first. This protects you if your screen was left open.</p>
            ${passwordForm(pageAccount.email, error, { step: 'begin' })}`
    }
  </section>`
  const content = html`<div class="cards two">${passkeyList(passkeys, notice)}${addSection}</div>
    <p class="again"><a href="${SECOND_FACTOR_PATH}">Two-step verification</a></p>`
  return renderAccountPage(TITLE, LEAD_TEXT, pageAccount, content)
}

export function removePasskeyPage(pageAccount: PageAccount, { id, name }: Passkey, error: string | null): string {
  const content = html`<div class="cards one">
      <section class="card">
        <h2>Remove ${name}?</h2>
        <p>You won’t be able to log in with it, and you’ll be logged out on all other devices.</p>
        ${passwordForm(pageAccount.email, error, { step: 'remove', id })}
      </section>
    </div>
    <p class="again"><a href="${PASSKEYS_PATH}">Keep passkey</a></p>`
  return renderAccountPage('Remove a passkey', LEAD_TEXT, pageAccount, content)
}

/** Renders the form that creates the passkey after the password check. `name`: default name. */
export function addPasskeyPage(pageAccount: PageAccount, request: PasskeyRequest, name: string): string {
  const field = html`<label for="name">Name</label>
    <input id="name" name="name" type="text" value="${name}" maxlength="60" />
    <p class="hint">For example, the device it’s on.</p>`
  const content = html`<div class="cards one">
    <section class="card">
      <h2>Add a passkey</h2>
      <p>Your browser will ask for your fingerprint, face or PIN, which stays on your device.</p>
      ${passkeySetupForm(PASSKEYS_PATH, request, field)}
    </section>
  </div>`
  return renderAccountPage('Add a passkey', LEAD_TEXT, pageAccount, content)
}
