import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '../../../../../contract/billing/subscriptions.ts'
import { CancelDialog } from '../../../../../src/islands/services/cancel/CancelDialog.tsx'
import {
  $planBeingCanceled,
  closeCancellation,
  openCancellation,
  setCancelStep,
} from '../../../../../src/stores/billing/cancellation-step.ts'
import { $cancellationPreview, $cancellationResult } from '../../../../../src/stores/billing/cancellation.ts'
import { $exportSize } from '../../../../../src/stores/account/data-export.ts'
import { $userId } from '../../../../../src/stores/session/session.ts'
import { stubApiResponses } from '../../../../support/client.ts'
import { WAIT_OPTIONS } from '../../../../support/patience.ts'

const laterMs = Date.now() + 10 * 86_400_000
const plan: Subscription = {
  subscription_id: 's1',
  sku: 'unlimited',
  status: 'active',
  quantity: 1,
  period: 'monthly',
  billing_provider: 'card',
  renews_at: laterMs,
  running: true,
  channel: 'web',
  revision: 3,
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
}
const fewer = { sku: 'cam-ai', period: 'monthly', quantity: 1, cents: 299, keeps_days: 14 } as const
const cancellationPreview = {
  subscription_id: 's1',
  revision: 3,
  ways: [
    {
      way: 'end',
      ends_at: laterMs,
      lines: [],
      subtotal: 0,
      tax: 0,
      total: 0,
      to_method: 0,
      to_balance: 0,
      method: null,
      months: 0,
    },
  ],
  clips: { shown: 10, shown_days: 30, kept: 1, kept_days: 1, bytes: 0, bills: 1 },
  offers: { pause_months: 3, fewer, other: null },
}
const okResponse = <T,>(data: T) => ({ code: 200, data })

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // jsdom does not implement the methods of dialogs.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
  }
  localStorage.clear()
  sessionStorage.clear()
  $userId.set('user_1')
  $cancellationResult.set(null)
  $cancellationPreview.set({ state: 'loading' })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => {
  act(() => root.unmount())
  closeCancellation()
})

const findButton = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (element) => element.getAttribute('aria-label') === name || element.textContent.includes(name),
  )!
const clickButton = (name: string) => act(async () => findButton(name).click())

async function openDialogAt(step: number, response: unknown) {
  stubApiResponses({
    leaving: okResponse(cancellationPreview),
    take: okResponse({ clips: 10, events: 10, bills: 1, bytes: 870_000_000, about: true, archives: 1 }),
    card: response,
    user_1: okResponse({ subscriptions: [plan] }),
    recurring_info: null,
  })
  openCancellation('s1')
  setCancelStep(step)
  await act(async () => root.render(<CancelDialog subscription={plan} reason="" />))
  await vi.waitFor(() => expect($cancellationPreview.get().state).toBe('ready'), WAIT_OPTIONS)
}

test('the dialog cannot be closed during the cancellation, and shows its result', async () => {
  await openDialogAt(3, okResponse({ subscription_id: 's1', ends_at: laterMs, to_method: 0, to_balance: 0, bill: '' }))
  act(() => findButton('Cancel plan').click())
  expect(findButton('Canceling…').getAttribute('aria-busy')).toBe('true')
  const dialog = document.querySelector('dialog')!
  const escape = new Event('cancel', { cancelable: true })
  act(() => {
    findButton('Keep my plan').click()
    findButton('Close').click()
    dialog.click()
    dialog.dispatchEvent(escape)
    dialog.open = false
    dialog.dispatchEvent(new Event('close'))
  })
  expect([$planBeingCanceled.get()?.id, escape.defaultPrevented, dialog.open]).toEqual(['s1', true, true])
  await vi.waitFor(async () => {
    await act(async () => undefined)
    expect(document.querySelector('h2')?.textContent).toBe('Unlimited Cameras is canceled')
  }, WAIT_OPTIONS)
  await clickButton('Close')
  expect($planBeingCanceled.get()).toBeNull()
})

test('the download of all data has its size, from the export if the preview does not know it', async () => {
  await openDialogAt(2, null)
  const readSize = () => document.querySelector('.leave-narrow')?.textContent
  await act(async () => vi.waitFor(() => expect($exportSize.get().state).toBe('ready'), WAIT_OPTIONS))
  expect(readSize()).toBe('about 870 MB')
  expect(document.body.textContent).toContain('all invoices, about 870 MB')
})

test('the dialog does not reopen on the way back from an accepted offer', async () => {
  await openDialogAt(2, null)
  await clickButton('Fewer cameras')
  expect([$planBeingCanceled.get(), sessionStorage.length]).toEqual([null, 0])
})
