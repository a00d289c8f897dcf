import {
  $toast,
  $toastPaused,
  closeToast,
  pauseToast,
  resumeToast,
  showToast,
  startToast,
  type Toast,
} from '../../stores/shell/toasts.ts'
import { tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'

const SIGNS = { success: '✓', error: '!', warning: '!' } as const
const place = document.getElementById('toasts')

$toast.subscribe((toast) => {
  if (toast) goToDialog()
  place?.replaceChildren(...(toast ? [draw(toast)] : []))
  if (toast) startToast()
})
$toastPaused.subscribe((paused) => place?.firstElementChild?.classList.toggle('paused', paused))
showLeftToast()

function showLeftToast(): void {
  const [, style, text] = /^(success|error|warning) (.+)$/.exec(tab.read(TAB_KEYS.nextToast) ?? '') ?? []
  tab.remove(TAB_KEYS.nextToast)
  if (text) showToast(style as Toast['style'], text)
}

/** Moves toasts into the open modal dialog: outside of it they are hidden, inert and not read out. */
function goToDialog(): void {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1)
  if (!place || !dialog || dialog.contains(place)) return
  dialog.append(place)
  dialog.addEventListener('close', () => document.body.append(place), { once: true })
}

/** Renders a toast. Inserts the message as text only, regardless of its origin (OPEN-130). */
function draw(toast: Toast): HTMLElement {
  const box = make('div', `toast toast-${toast.style}`)
  box.setAttribute('role', toast.style === 'error' ? 'alert' : 'status')
  const sign = make('span', 'toast-icon', SIGNS[toast.style])
  sign.ariaHidden = 'true'
  const close = make('button', 'icon-btn btn-tiny', '✕')
  close.setAttribute('aria-label', 'Close')
  close.addEventListener('click', closeToast)
  box.append(sign, make('p', 'toast-text flex-1 self-center', toast.text), close)
  box.addEventListener('pointerenter', pauseToast)
  box.addEventListener('focusin', pauseToast)
  box.addEventListener('pointerleave', resumeToast)
  box.addEventListener('focusout', resumeToast)
  return box
}

function make(tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}
