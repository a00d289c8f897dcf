import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { $toast, closeToast, pauseToast, resumeToast, showToast, startToast } from '../../../src/stores/shell/toasts.ts'

/** Ends the subscription that starts the timer of each toast, as the page does when it shows a toast. */
let leave: () => void
beforeEach(() => {
  vi.useFakeTimers()
  leave = $toast.subscribe((toast) => void (toast && startToast()))
})
afterEach(() => {
  leave()
  while ($toast.get()) closeToast()
  vi.useRealTimers()
})

const text = () => $toast.get()?.text

test('a toast closes automatically after 5000 ms', () => {
  showToast('success', 'Saved.')
  vi.advanceTimersByTime(4999)
  expect(text()).toBe('Saved.')
  vi.advanceTimersByTime(1)
  expect($toast.get()).toBeNull()
})

test('a toast does not time out before it is rendered', () => {
  leave()
  showToast('error', 'Late')
  vi.advanceTimersByTime(60_000)
  expect(text()).toBe('Late')
  startToast()
  vi.advanceTimersByTime(5000)
  expect($toast.get()).toBeNull()
})

test('toasts show one at a time: the second waits and gets its own 5000 ms', () => {
  showToast('error', 'One')
  showToast('error', 'Two')
  expect(text()).toBe('One')
  vi.advanceTimersByTime(5000)
  expect(text()).toBe('Two')
  vi.advanceTimersByTime(4999)
  expect(text()).toBe('Two')
  closeToast()
  expect($toast.get()).toBeNull()
})

test('a repeat of the shown text or the last waiting text is dropped', () => {
  showToast('error', 'One')
  showToast('error', 'One')
  showToast('error', 'Two')
  showToast('error', 'Two')
  closeToast()
  expect(text()).toBe('Two')
  closeToast()
  expect($toast.get()).toBeNull()
})

test('pointing at a toast pauses its timer', () => {
  showToast('warning', 'Wait')
  vi.advanceTimersByTime(4000)
  pauseToast()
  vi.advanceTimersByTime(60_000)
  expect(text()).toBe('Wait')
  resumeToast()
  vi.advanceTimersByTime(999)
  expect(text()).toBe('Wait')
  vi.advanceTimersByTime(1)
  expect($toast.get()).toBeNull()
})

test('TOAST-02 a repeat of the shown text is dropped, however many others wait', () => {
  showToast('error', 'One')
  showToast('error', 'Two')
  showToast('error', 'One')
  closeToast()
  expect(text()).toBe('Two')
  closeToast()
  expect($toast.get()).toBeNull()
})
