import { beforeEach, expect, test } from 'vitest'
import {
  $cancelStep,
  $cancelStepSubscription,
  $planBeingCanceled,
  closeCancellation,
  storeCancelReason,
  openCancellation,
  restoreCancellation,
  setCancelStep,
} from '../../../src/stores/billing/cancellation-step.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  closeCancellation()
})

test('CANCEL-02 the cancellation step is a number, 1 by default, stored as `cancelStep`', () => {
  expect([$cancelStep.get(), typeof $cancelStep.get()]).toEqual([1, 'number'])
  setCancelStep(3)
  expect(localStorage.getItem('cancelStep')).toBe('3')
})

test('CANCEL-03 setting the cancellation step replaces and saves the value, for any number', () => {
  for (const step of [2, 4, 17, -1, 0.5]) {
    setCancelStep(step)
    expect([$cancelStep.get(), localStorage.getItem('cancelStep')]).toEqual([step, String(step)])
  }
})

test('OPEN-161 the cancellation step belongs to one subscription and restarts at 1 for another or after closing', () => {
  openCancellation('s1')
  setCancelStep(2)
  openCancellation('s1')
  expect($cancelStep.get()).toBe(2)
  openCancellation('s2')
  expect([$cancelStep.get(), $cancelStepSubscription.get(), localStorage.getItem('cancelStepOf')]).toEqual([
    1,
    's2',
    's2',
  ])
  setCancelStep(3)
  closeCancellation()
  expect([$cancelStep.get(), $cancelStepSubscription.get(), $planBeingCanceled.get()]).toEqual([1, '', null])
})

test('the cancellation dialog reopens with its reason in the same tab, but in no other', () => {
  openCancellation('s1')
  storeCancelReason('price')
  $planBeingCanceled.set(null)
  restoreCancellation()
  expect($planBeingCanceled.get()).toEqual({ id: 's1', reason: 'price' })
  $planBeingCanceled.set(null)
  sessionStorage.clear()
  restoreCancellation()
  expect($planBeingCanceled.get()).toBeNull()
})
