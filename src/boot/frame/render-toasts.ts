import {
  $toast,
  $isToastPaused,
  closeToast,
  pauseToast,
  resumeToast,
  showToast,
  startToastTimer,
  type Toast,
} from '../../stores/shell/toasts.ts'
import { safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'

const TOAST_ICONS = { success: '✓', error: '!', warning: '!' } as const
const toastContainer = document.getElementById('toasts')

/** Shows the toast that the previous page stored, and all later toasts of this page. Call it once. */
export function renderToasts(): void {
  $toast.subscribe((toast) => {
    if (toast) moveToastsIntoDialog()
    toastContainer?.replaceChildren(...(toast ? [renderToast(toast)] : []))
    if (toast) startToastTimer()
    if (document.hidden) pauseToast()
  })
  $isToastPaused.subscribe((paused) => toastContainer?.firstElementChild?.classList.toggle('paused', paused))
  // A tab in the background shows its toast when the user returns to it.
  document.addEventListener('visibilitychange', () => (document.hidden ? pauseToast() : resumeToast()))
  showStoredToast()
}

function showStoredToast(): void {
  const [, style, text] = /^(success|error|warning) (.+)$/.exec(safeSessionStorage.read(TAB_KEYS.nextToast) ?? '') ?? []
  safeSessionStorage.remove(TAB_KEYS.nextToast)
  if (text) showToast(style as Toast['style'], text)
}

/** Moves toasts into the open modal dialog, because toasts outside of it are hidden, inert and not read out. */
function moveToastsIntoDialog(): void {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1)
  if (!toastContainer || !dialog || dialog.contains(toastContainer)) return
  dialog.append(toastContainer)
  dialog.addEventListener('close', () => document.body.append(toastContainer), { once: true })
}

/**
 * Renders a toast. Inserts the message as text, never as HTML, because the message may come from the server (OPEN-130).
 */
function renderToast(toast: Toast): HTMLElement {
  const toastElement = createElement('div', `toast toast-${toast.style}`)
  toastElement.setAttribute('role', toast.style === 'error' ? 'alert' : 'status')
  const icon = createElement('span', 'toast-icon', TOAST_ICONS[toast.style])
  icon.ariaHidden = 'true'
  const close = createElement('button', 'icon-btn btn-tiny', '✕')
  close.setAttribute('aria-label', 'Close')
  close.addEventListener('click', closeToast)
  toastElement.append(icon, createElement('p', 'toast-text flex-1 self-center', toast.text), close)
  toastElement.addEventListener('pointerenter', pauseToast)
  toastElement.addEventListener('focusin', pauseToast)
  toastElement.addEventListener('pointerleave', resumeToast)
  toastElement.addEventListener('focusout', resumeToast)
  return toastElement
}

function createElement(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}
