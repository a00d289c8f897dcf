import { FOCUS_TRAP_POLL_MS } from '../../../contract/wire/constants.ts'

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'

/** Brings the focus back into `container` whenever it is found elsewhere. Answers a function that lets it go. */
export function trapFocus(container: HTMLElement): () => void {
  let last: HTMLElement | null = null
  const checkFocus = () => {
    const now = document.activeElement
    if (now instanceof HTMLElement && now !== container && container.contains(now)) last = now
    else (last ?? container.querySelector<HTMLElement>(FOCUSABLE))?.focus()
  }
  const poll = setInterval(checkFocus, FOCUS_TRAP_POLL_MS)
  return () => clearInterval(poll)
}
