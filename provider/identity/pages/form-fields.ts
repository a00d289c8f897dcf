import { html } from 'hono/html'
import { PROBLEM_ICON } from '../two-factor/page-elements.ts'

export const PASSWORD_HINT = 'At least 10 characters. Avoid common passwords.'

/** Problem with a form. `field`: id of the field that it concerns; null if it concerns the whole form. */
export interface FormProblem {
  readonly field: string | null
  readonly message: string
}

/** Returns the problem of a form with one field. */
export const toFieldProblem = (field: string, message: string | null): FormProblem | null =>
  message === null ? null : { field, message }

/** Returns the message of the problem if it concerns this field (null: the whole form), otherwise null. */
export const getProblemMessage = (problem: FormProblem | null, field: string | null): string | null =>
  problem !== null && problem.field === field ? problem.message : null

/** Returns the attributes of a field: its problem, its further descriptions, and the focus if it has a problem. */
export function describeField(
  field: string,
  problem: FormProblem | null,
  options: { readonly describedBy?: readonly string[]; readonly focus?: boolean } = {},
) {
  const isInvalid = getProblemMessage(problem, field) !== null
  const ids = [
    ...(isInvalid ? [`${field}-problem`] : []),
    ...(getProblemMessage(problem, null) === null ? [] : ['problem']),
    ...(options.describedBy ?? []),
  ].join(' ')
  const hasFocus = isInvalid || (options.focus === true && (problem?.field ?? null) === null)
  return html`${hasFocus ? html` autofocus` : ''}${isInvalid ? html` aria-invalid="true"` : ''}${
    ids === '' ? '' : html` aria-describedby="${ids}"`
  }`
}

export const fieldProblem = (field: string, message: string | null) =>
  message === null
    ? ''
    : html`<p class="field-problem" id="${field}-problem" role="alert">${PROBLEM_ICON}<span>${message}</span></p>`

/**
 * Renders a password field. `problem`: problem of its form, which the field shows if it concerns the field. The problem
 * of a new password (`min`) replaces the hint, because both state the rule.
 */
export function passwordField(
  id: string,
  label: string,
  options: { autocomplete: string; min?: number; hint?: string; problem?: FormProblem | null; focus?: boolean },
) {
  const { autocomplete, min, problem = null, focus = false } = options
  const isRuleBroken = min !== undefined && getProblemMessage(problem, id) !== null
  const hint = isRuleBroken ? undefined : options.hint
  const describedBy = hint === undefined ? [] : [`${id}-hint`]
  return html`<label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      type="password"
      autocomplete="${autocomplete}"
      required
      maxlength="200"
      ${min === undefined ? '' : html` minlength="${min}"`}${describeField(id, problem, { describedBy, focus })}
    />
    ${fieldProblem(id, getProblemMessage(problem, id))}
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}`
}

export function errorMessage(error: string | null) {
  return error === null
    ? ''
    : html`<p class="problem" id="problem" role="alert">${PROBLEM_ICON}<span>${error}</span></p>`
}
