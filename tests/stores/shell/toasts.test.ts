import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  $toast,
  closeToast,
  pauseToast,
  resumeToast,
  showToast,
  startToastTimer,
} from '../../../src/stores/shell/toasts.ts'

/** Ends the subscription that starts the timer of each shown toast. The page has the same subscription. */
let unsubscribe: () => void
beforeEach(() => {
  vi.useFakeTimers()
  unsubscribe = $toast.subscribe((toast) => void (toast && startToastTimer()))
})
afterEach(() => {
  unsubscribe()
  while ($toast.get()) closeToast()
  vi.useRealTimers()
})

const readText = () => $toast.get()?.text

test('a toast closes automatically after 5000 ms', () => {
  showToast('success', 'Saved.')
  vi.advanceTimersByTime(4999)
  expect(readText()).toBe('Saved.')
  vi.advanceTimersByTime(1)
  expect($toast.get()).toBeNull()
})

test('a toast does not time out before it is rendered', () => {
  unsubscribe()
  showToast('error', 'Late')
  vi.advanceTimersByTime(60_000)
  expect(readText()).toBe('Late')
  startToastTimer()
  vi.advanceTimersByTime(5000)
  expect($toast.get()).toBeNull()
})

test('toasts show one at a time: the second waits and gets its own 5000 ms', () => {
  showToast('error', 'One')
  showToast('error', 'Two')
  expect(readText()).toBe('One')
  vi.advanceTimersByTime(5000)
  expect(readText()).toBe('Two')
  vi.advanceTimersByTime(4999)
  expect(readText()).toBe('Two')
  closeToast()
  expect($toast.get()).toBeNull()
})

test('a repeat of the shown text or the last waiting text is dropped', () => {
  showToast('error', 'One')
  showToast('error', 'One')
  showToast('error', 'Two')
  showToast('error', 'Two')
  closeToast()
  expect(readText()).toBe('Two')
  closeToast()
  expect($toast.get()).toBeNull()
})

test('pointing at a toast pauses its timer', () => {
  showToast('warning', 'Wait')
  vi.advanceTimersByTime(4000)
  pauseToast()
  vi.advanceTimersByTime(60_000)
  expect(readText()).toBe('Wait')
  resumeToast()
  vi.advanceTimersByTime(999)
  expect(readText()).toBe('Wait')
  vi.advanceTimersByTime(1)
  expect($toast.get()).toBeNull()
})

test('TOAST-02 a repeat of the shown text is dropped, however many others wait', () => {
  showToast('error', 'One')
  showToast('error', 'Two')
  showToast('error', 'One')
  closeToast()
  expect(readText()).toBe('Two')
  closeToast()
  expect($toast.get()).toBeNull()
})
