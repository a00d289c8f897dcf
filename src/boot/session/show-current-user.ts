import { initialsOf } from '../../../contract/account/initials.ts'

/**
 * Shows who is signed in: the style sheet reads `data-who`, islands wait for the event. `unknown`: the portal did not
 * answer, so that neither an account nor `Log in` is offered.
 */
export function showWho(who: 'nobody' | 'user' | 'unknown', email = ''): void {
  fill('[data-email]', email)
  fill('[data-initials]', initialsOf(email))
  document.documentElement.dataset.who = who
  if (who === 'user') dispatchEvent(new Event('porchlight:session'))
}

function fill(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) element.textContent = text
}
