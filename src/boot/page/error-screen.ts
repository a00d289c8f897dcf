/** Reason why a page cannot continue; layouts/ErrorScreen.astro holds the texts. */
export type ErrorScreenReason = 'offline' | 'down' | 'sign-in' | 'loop' | 'sign-out' | 'refused' | 'ask'

/**
 * Replaces the loading indicator with a sentence and a `Try again` button. Reloads the page when the browser is online
 * again.
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
