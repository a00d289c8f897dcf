import { atom } from 'nanostores'
import { TOAST_AUTO_CLOSE_MS } from '../../../contract/wire/constants.ts'

export interface Toast {
  readonly id: number
  readonly style: 'success' | 'error' | 'warning'
  readonly text: string
}

/** The one toast to be seen (limit 1, TOAST-02). */
export const $toast = atom<Toast | null>(null)
/** Whether its 5 seconds, which count from when it is drawn, stand still, because somebody points at it or has it in focus. */
export const $toastPaused = atom(false)

const waiting: Toast[] = []
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
let startedAt = 0
let left = TOAST_AUTO_CLOSE_MS

/** Shows a toast, or queues it behind the one shown. A repeat of the shown or the last waiting text is dropped (OPEN-40). */
export function showToast(style: Toast['style'], text: string): void {
  const last = waiting.at(-1) ?? $toast.get()
  if (text === $toast.get()?.text || text === last?.text) return
  waiting.push({ id: nextId++, style, text })
  if (!$toast.get()) showNext()
}

/** Closes the toast and shows the next one that waits. */
export function closeToast(): void {
  showNext()
}

export function pauseToast(): void {
  if (!$toast.get() || $toastPaused.get()) return
  clearTimeout(timer)
  left = Math.max(0, left - (Date.now() - startedAt))
  $toastPaused.set(true)
}

export function resumeToast(): void {
  if (!$toast.get() || !$toastPaused.get()) return
  $toastPaused.set(false)
  startToast()
}

function showNext(): void {
  clearTimeout(timer)
  left = TOAST_AUTO_CLOSE_MS
  $toastPaused.set(false)
  const next = waiting.shift() ?? null
  $toast.set(next)
}

/** Starts the 5 seconds of the toast, or what is left of them: it is drawn now, which on a slow page is long after it was shown. */
export function startToast(): void {
  clearTimeout(timer)
  startedAt = Date.now()
  timer = setTimeout(closeToast, left)
}
