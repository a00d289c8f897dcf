import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '../../../../../contract/billing/subscriptions.ts'
import { LeaveDialog } from '../../../../../src/islands/services/cancel/CancelDialog.tsx'
import {
  $leavingPlan,
  closeLeaving,
  openLeaving,
  setCancelStep,
} from '../../../../../src/stores/billing/cancellation-step.ts'
import { $leaving, $left } from '../../../../../src/stores/billing/cancellation.ts'
import { $userId } from '../../../../../src/stores/session/session.ts'
import { answerWith } from '../../../../support/client.ts'
import { patience } from '../../../../support/patience.ts'

const later = Date.now() + 10 * 86_400_000
const plan: Subscription = {
  ...{ subscription_id: 's1', sku: 'unlimited', status: 'active', quantity: 1, period: 'monthly' },
  ...{ billing_provider: 'card', renews_at: later, running: true, channel: 'web', revision: 3, since: 0 },
  ...{ scheduled: null, next: null, paused_until: null, leaving: null, open: null, clock: 0 },
}
const fewer = { sku: 'cam-ai', period: 'monthly', quantity: 1, cents: 299, keeps_days: 14 } as const
const leaving = {
  ...{ subscription_id: 's1', revision: 3 },
  ways: [
    {
      ...{ way: 'end', ends_at: later, lines: [], subtotal: 0, tax: 0, total: 0, to_method: 0, to_balance: 0 },
      ...{ method: null, months: 0 },
    },
  ],
  clips: { shown: 10, shown_days: 30, kept: 1, kept_days: 1, bytes: 0, bills: 1 },
  offers: { pause_months: 3, fewer, other: null },
}
const ok = <T,>(data: T) => ({ code: 200, data })

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // Missing in jsdom.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
  }
  localStorage.clear()
  sessionStorage.clear()
  $userId.set('user_1')
  $left.set(null)
  $leaving.set({ state: 'loading' })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => {
  act(() => root.unmount())
  closeLeaving()
})

const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (element) => element.getAttribute('aria-label') === name || element.textContent.includes(name),
  )!
const press = (name: string) => act(async () => button(name).click())

async function open(step: number, response: unknown) {
  answerWith({ leaving: ok(leaving), card: response, user_1: ok({ subscriptions: [plan] }), recurring_info: null })
  openLeaving('s1')
  setCancelStep(step)
  await act(async () => root.render(<LeaveDialog subscription={plan} reason="" />))
  await vi.waitFor(() => expect($leaving.get().state).toBe('ready'), patience)
}

test('the dialog cannot be closed during the cancellation, and shows its result', async () => {
  await open(3, ok({ subscription_id: 's1', ends_at: later, to_method: 0, to_balance: 0, bill: '' }))
  act(() => button('Cancel plan').click())
  expect(button('Cancelling').getAttribute('aria-busy')).toBe('true')
  const dialog = document.querySelector('dialog')!
  const escape = new Event('cancel', { cancelable: true })
  act(() => {
    button('Keep my plan').click()
    button('Close').click()
    dialog.click()
    dialog.dispatchEvent(escape)
    dialog.open = false
    dialog.dispatchEvent(new Event('close'))
  })
  expect([$leavingPlan.get()?.id, escape.defaultPrevented, dialog.open]).toEqual(['s1', true, true])
  await vi.waitFor(async () => {
    await act(async () => undefined)
    expect(document.querySelector('h2')?.textContent).toBe('Unlimited Cameras is cancelled')
  }, patience)
  await press('Close')
  expect($leavingPlan.get()).toBeNull()
})

test('the dialog does not reopen on the way back from an accepted offer', async () => {
  await open(2, null)
  await press('Fewer cameras')
  expect([$leavingPlan.get(), sessionStorage.length]).toEqual([null, 0])
})
