import { html } from 'hono/html'
import { errorMessage } from '../pages/form-fields.ts'
import { providerPage } from '../pages/page-layout.ts'
import type { SecondFactorInput } from './verify-second-factor.ts'
import { oneTimeCodeField, KEY_ICON } from './page-elements.ts'

export interface SecondStepState {
  readonly email: string
  /** Ticket that proves a correct password (sign-in-steps.ts). */
  readonly ticket: string
  readonly way: SecondFactorInput['way']
  readonly error: string | null
}

const ALTERNATIVE_METHOD = { code: 'recovery', recovery: 'code' } as const

function recoveryField(error: string | null) {
  return html`<label for="code">Recovery code</label>
    <input
      id="code"
      name="code"
      type="text"
      autocomplete="off"
      autocapitalize="characters"
      spellcheck="false"
      required
      maxlength="40"
      autofocus
      aria-describedby="${error === null ? '' : 'problem '}code-hint"
    />
    <p class="hint" id="code-hint">For example, ABCD-EFGH-2345-WXYZ. Each code works once.</p>`
}

/**
 * Renders the form for a one-time code or a recovery code. Works without script. `action`: path that the form posts to.
 */
export function secondStepPage(action: string, { email, ticket, way, error }: SecondStepState): string {
  const isCode = way === 'code'
  const content = html`<h1>${isCode ? 'Two-step verification' : 'Recovery code'}</h1>
    <p class="lead">
      ${isCode ? 'Enter the 6-digit code from your authenticator app.' : 'Enter one of the recovery codes you saved.'}
    </p>
    <p class="hint who">Logging in as ${email}</p>
    <form method="post" action="${action}" novalidate>
      ${errorMessage(error)}
      <input type="hidden" name="ticket" value="${ticket}" />
      <input type="hidden" name="way" value="${way}" />
      ${
        isCode
          ? oneTimeCodeField({
              invalid: error !== null,
              focus: true,
              hint: 'The app shows a new code every 30 seconds. You can paste the code.',
            })
          : recoveryField(error)
      }
      <button class="primary">Log in</button>
    </form>
    <form class="other" method="post" action="${action}">
      <input type="hidden" name="ticket" value="${ticket}" />
      <button class="secondary" name="show" value="${ALTERNATIVE_METHOD[way]}">
        ${isCode ? html`${KEY_ICON}Use a recovery code` : 'Use the authenticator app'}
      </button>
    </form>
    <p class="again"><a href="${action}">Not you? Start over</a></p>`
  return providerPage('Two-step verification', content, 'One more step to protect your account.')
}

export function recoveryCodesLeftPage(codesLeft: number, next: string): string {
  const sentence =
    codesLeft === 0
      ? 'That was your last recovery code. Get new codes now under Two-step verification.'
      : `You have ${codesLeft === 1 ? 'one recovery code' : `${codesLeft} recovery codes`} left.`
  const content = html`<h1>You’re logged in</h1>
    <p class="lead" role="status">${sentence}</p>
    <a class="primary" href="${next}">Continue</a>`
  return providerPage('You’re logged in', content)
}
