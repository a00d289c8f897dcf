import { formatInitials } from '../../../contract/account/initials.ts'

/**
 * Shows the current user: sets `data-who` for the style sheet, and notifies islands if a user is signed in. `unknown`:
 * the portal is unreachable, so the page offers neither an account nor `Log in`.
 */
export function showCurrentUser(userState: 'nobody' | 'user' | 'unknown', email = ''): void {
  fillText('[data-email]', email)
  fillText('[data-initials]', formatInitials(email))
  document.documentElement.dataset.who = userState
  if (userState === 'user') dispatchEvent(new Event('porchlight:session'))
}

function fillText(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) element.textContent = text
}
