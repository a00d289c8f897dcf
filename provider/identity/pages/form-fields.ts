import { html } from 'hono/html'

export const PASSWORD_HINT = 'At least 10 characters. Avoid common passwords.'

export function passwordField(
  id: string,
  label: string,
  options: { autocomplete: string; min?: number; hint?: string; invalid?: boolean; focus?: boolean },
) {
  const { autocomplete, min, hint, invalid = false, focus = false } = options
  const describedBy = [...(invalid ? ['problem'] : []), ...(hint === undefined ? [] : [`${id}-hint`])].join(' ')
  return html`<label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      type="password"
      autocomplete="${autocomplete}"
      required
      maxlength="200"
      ${min === undefined ? '' : html` minlength="${min}"`}${focus ? html` autofocus` : ''}
      ${describedBy === '' ? '' : html` aria-describedby="${describedBy}"`}
    />
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}`
}

export function errorMessage(error: string | null) {
  return error === null ? '' : html`<p class="problem" id="problem" role="alert">${error}</p>`
}
