/** Reason why a page cannot continue; layouts/Trouble.astro holds the texts. */
export type Trouble = 'offline' | 'down' | 'sign-in' | 'loop' | 'sign-out' | 'refused' | 'ask'

/** Replaces the page's content by a sentence and `Try again`. */
export function showTrouble(trouble: Trouble): void {
  const why = navigator.onLine ? trouble : 'offline'
  document.getElementById('loading')?.remove()
  const screen = document.getElementById('trouble')
  if (!screen) return
  for (const words of screen.querySelectorAll<HTMLElement>('[data-why]')) words.hidden = words.dataset.why !== why
  const again = () => location.reload()
  screen.querySelector('button')?.addEventListener('click', again)
  screen.hidden = false
  addEventListener('online', again)
}
