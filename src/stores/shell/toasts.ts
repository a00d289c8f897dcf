import { atom } from 'nanostores'
import { TOAST_AUTO_CLOSE_MS } from '../../../contract/wire/constants.ts'

export interface Toast {
  readonly id: number
  readonly style: 'success' | 'error' | 'warning'
  readonly text: string
}

/** Visible toast. Only one is visible at a time (TOAST-02). */
export const $toast = atom<Toast | null>(null)
/** True while the pointer or the focus pauses the toast's 5-second timer. */
export const $isToastPaused = atom(false)

const queuedToasts: Toast[] = []
let nextId = 1
let closeTimer: ReturnType<typeof setTimeout> | undefined
let timerStartedAt = 0
let remainingMs = TOAST_AUTO_CLOSE_MS

/**
 * Shows a toast, or queues it behind the current one. Ignores a text that equals the current or the last queued one
 * (OPEN-40).
 */
export function showToast(style: Toast['style'], text: string): void {
  const last = queuedToasts.at(-1) ?? $toast.get()
  if (text === $toast.get()?.text || text === last?.text) return
  queuedToasts.push({ id: nextId++, style, text })
  if (!$toast.get()) showNextToast()
}

export function closeToast(): void {
  showNextToast()
}

export function pauseToast(): void {
  if (!$toast.get() || $isToastPaused.get()) return
  clearTimeout(closeTimer)
  remainingMs = Math.max(0, remainingMs - (Date.now() - timerStartedAt))
  $isToastPaused.set(true)
}

export function resumeToast(): void {
  if (!$toast.get() || !$isToastPaused.get()) return
  $isToastPaused.set(false)
  startToastTimer()
}

function showNextToast(): void {
  clearTimeout(closeTimer)
  remainingMs = TOAST_AUTO_CLOSE_MS
  $isToastPaused.set(false)
  const next = queuedToasts.shift() ?? null
  $toast.set(next)
}

/** Starts or resumes the 5-second timer. Call it when the toast is rendered, which may be long after `showToast`. */
export function startToastTimer(): void {
  clearTimeout(closeTimer)
  timerStartedAt = Date.now()
  closeTimer = setTimeout(closeToast, remainingMs)
}
