import { html, raw } from 'hono/html'

export const SHOW_PASSWORD_PATH = '/assets/show-password.js'

/**
 * Script for the eye button that shows or hides the password. Without the script, the button stays hidden. Hides the
 * password on submit.
 */
export const SHOW_PASSWORD_SCRIPT = `'use strict'
for (const eye of document.querySelectorAll('.eye')) {
  const field = document.getElementById(eye.getAttribute('aria-controls'))
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    eye.setAttribute('aria-pressed', String(isShown))
  }
  eye.hidden = false
  eye.addEventListener('click', () => show(field.type === 'password'))
  field.form.addEventListener('submit', () => show(false))
}
`

const EYE_ICON = raw(
  '<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7Z"/><circle cx="12" cy="12" r="3"/><path class="slash" d="m4 4 16 16"/></svg>',
)

export const showPasswordButton = (id: string) =>
  html`<button type="button" class="eye" aria-controls="${id}" aria-pressed="false" hidden>
      ${EYE_ICON}<span>Show password</span>
    </button>
    ${raw(`<script src="${SHOW_PASSWORD_PATH}" defer></script>`)}`
