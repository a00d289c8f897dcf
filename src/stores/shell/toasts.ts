import { atom } from 'nanostores'
import { TOAST_AUTO_CLOSE_MS } from '../../../contract/wire/constants.ts'

export interface Toast {
  readonly id: number
  readonly style: 'success' | 'error' | 'warning'
  readonly text: string
}

/** The visible toast (limit 1, TOAST-02). */
export const $toast = atom<Toast | null>(null)
/** True while pointer or focus pauses the toast's 5-second timer, which starts when the toast is rendered. */
export const $toastPaused = atom(false)

const waiting: Toast[] = []
let nextId = 1
let timer: ReturnType<typeof setTimeout> | undefined
let startedAt = 0
let left = TOAST_AUTO_CLOSE_MS

/** Shows a toast, or queues it behind the current one. Drops a repeat of the current or last queued text (OPEN-40). */
export function showToast(style: Toast['style'], text: string): void {
  const last = waiting.at(-1) ?? $toast.get()
  if (text === $toast.get()?.text || text === last?.text) return
  waiting.push({ id: nextId++, style, text })
  if (!$toast.get()) showNext()
}

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

/** Starts or resumes the 5-second timer once the toast is rendered, which on a slow page is long after `showToast`. */
export function startToast(): void {
  clearTimeout(timer)
  startedAt = Date.now()
  timer = setTimeout(closeToast, left)
}
