import { FOCUS_TRAP_POLL_MS } from '../../../contract/wire/constants.ts'

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'

/** Moves focus back into `container` whenever focus leaves it. Returns a function that ends the trap. */
export function trapFocus(container: HTMLElement): () => void {
  let lastFocused: HTMLElement | null = null
  const checkFocus = () => {
    const focused = document.activeElement
    if (focused instanceof HTMLElement && focused !== container && container.contains(focused)) lastFocused = focused
    else (lastFocused ?? container.querySelector<HTMLElement>(FOCUSABLE))?.focus()
  }
  const poll = setInterval(checkFocus, FOCUS_TRAP_POLL_MS)
  return () => clearInterval(poll)
}
