// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PayAgain } from '../../../../src/islands/payment/parts/RetryPayment.tsx'
import { PaymentNote } from '../../../../src/islands/plan/parts/PaymentNote.tsx'
import { selectCheckoutMethod, pay } from '../../../../src/stores/billing/checkout.ts'
import { $payment } from '../../../../src/stores/billing/payment-methods.ts'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { $bankPage } from '../../../../src/stores/billing/cancellation.ts'
import { NotPaid } from '../../../../src/islands/services/parts/FailedPayment.tsx'
import { leaveTask } from '../../../../src/stores/billing/purchase-task.ts'
import { camera, checkout, newTab, ok, order, quote, reload } from '../../../support/checkout.ts'
import { saysNoCharge } from '../../../support/facts.ts'
import { scaled } from '../../../support/machine.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const PAGE = 'https://hooks.stripe.com/3d_secure_2/hosted?of=pi_1'
const answers: Record<string, unknown> = {}
const place = document.createElement('div')
let tab: ReturnType<typeof newTab>
let root: ReturnType<typeof createRoot>
const link = () => place.querySelector('a.btn')
const show = () => act(() => root.render(<PaymentNote payment={checkout().payment} />))

beforeEach(async () => {
  tab = newTab(answers)
  answers['preview_purchase'] = ok(quote())
  $payment.set({ ...$payment.get(), isLoaded: true, methods: [] })
  root = createRoot(place)
  await reload('unlimited', '?period=monthly')
  selectCheckoutMethod('card1')
  answers['create'] = ok({ state: 'pending', process_id: 'p1' })
  answers['get_process_task'] = ok({ state: 'pending', begun_at: 1, step: 'asked', action_url: PAGE })
})
afterEach(() => {
  leaveTask()
  act(() => root.unmount())
})

test('CHECKOUT-05 a challenged purchase links to the bank page, and continues once the challenge is answered', async () => {
  await pay()
  await expect.poll(() => checkout().payment).toMatchObject({ state: 'task', actionUrl: PAGE, isLong: false })
  show()
  expect(place.textContent).toSatisfy(saysNoCharge)
  expect([link()?.textContent, link()?.getAttribute('href')]).toEqual(['Confirm at your bank', PAGE])
  expect([link()?.getAttribute('target'), link()?.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
  answers['get_process_task'] = null
  // A failed poll must not remove the bank link. The page has processed the failure once it sends the next request.
  const before = tab.length
  await expect.poll(() => tab.length, { timeout: scaled(10_000) }).toBeGreaterThan(before + 1)
  expect(checkout().payment).toMatchObject({ actionUrl: PAGE })
  answers['get_process_task'] = ok({ state: 'done', order })
  await expect.poll(() => checkout().payment.state, { timeout: scaled(10_000) }).toBe('done')
})

test('an invalid bank URL is not shown', async () => {
  answers['get_process_task'] = ok({ state: 'pending', begun_at: 1, step: 'asked', action_url: 'javascript:alert(1)' })
  await pay()
  await expect.poll(() => checkout().payment.state).toBe('task')
  show()
  expect(link()).toBeNull()
})

test('the payment page also links to the bank page', async () => {
  await pay()
  await expect.poll(() => checkout().payment).toMatchObject({ actionUrl: PAGE })
  act(() => root.render(<PayAgain />))
  expect(link()?.getAttribute('href')).toBe(PAGE)
})

test('an invoice left open by a failed charge also links to the bank until the challenge ends', async () => {
  const card = { method_id: 'm1', type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null } as const
  const method: PaymentMethod = { ...card, state: 'good', is_default: true, may_go: true, added_at: 1 }
  $payment.set({ ...$payment.get(), isLoaded: true, methods: [method] })
  const open = {
    total: 1081,
    due_at: 1,
    tries: 1,
    next_tries: [2],
    code: '4220',
    method: { brand: 'visa', last_four: '4221', name: '' },
  }
  answers['pay-open'] = ok({ state: 'pending', process_id: 'p1' })
  act(() => root.render(<NotPaid subscription={camera} open={open} now={1} />))
  await act(async () => {
    ;[...place.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith('Pay'))?.click()
    await expect.poll(() => $bankPage.get(), { timeout: scaled(5000) }).toBe(PAGE)
  })
  expect(link()?.getAttribute('href')).toBe(PAGE)
  answers['get_process_task'] = ok({ state: 'done', order })
  await act(async () => {
    await expect.poll(() => $bankPage.get(), { timeout: scaled(5000) }).toBeNull()
  })
  expect(link()).toBeNull()
})
