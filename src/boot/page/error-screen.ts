/**
 * Reason why a page cannot continue. layouts/ErrorScreen.astro holds the common texts; pages/user/redirect.astro holds
 * the text for `refused`, and pages/user/logout.astro holds the text for `ask`.
 */
export type ErrorScreenReason = 'offline' | 'down' | 'sign-in' | 'loop' | 'sign-out' | 'refused' | 'ask'

/**
 * Replaces the loading indicator with an error text and a `Try again` button. If the browser is offline, shows the text
 * for `offline` instead of the text for `reason`. Reloads the page when the browser is online again.
 */
export function showErrorScreen(reason: ErrorScreenReason): void {
  const shownReason = navigator.onLine ? reason : 'offline'
  document.getElementById('loading')?.remove()
  const screen = document.getElementById('trouble')
  if (!screen) return
  for (const textElement of screen.querySelectorAll<HTMLElement>('[data-why]'))
    textElement.hidden = textElement.dataset.why !== shownReason
  const reload = () => location.reload()
  screen.querySelector('button')?.addEventListener('click', reload)
  screen.hidden = false
  addEventListener('online', reload)
}
