// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RetryPayment } from '../../../../src/islands/payment/parts/RetryPayment.tsx'
import { PaymentNote } from '../../../../src/islands/plan/parts/PaymentNote.tsx'
import { selectCheckoutMethod, submitPurchase } from '../../../../src/stores/billing/checkout.ts'
import { $paymentMethods } from '../../../../src/stores/billing/payment-methods.ts'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { $bankPage } from '../../../../src/stores/billing/cancellation.ts'
import { FailedPayment } from '../../../../src/islands/services/parts/FailedPayment.tsx'
import { stopPollingPurchaseTask } from '../../../../src/stores/billing/purchase-task.ts'
import {
  CAMERA_SUBSCRIPTION,
  getCheckout,
  openNewTab,
  okResponse,
  TEST_ORDER,
  createQuote,
  reloadCheckout,
} from '../../../support/checkout.ts'
import { statesNoCharge } from '../../../support/facts.ts'
import { scaleTimeout } from '../../../support/machine.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const BANK_PAGE_URL = 'https://hooks.stripe.com/3d_secure_2/hosted?of=pi_1'
const answers: Record<string, unknown> = {}
const container = document.createElement('div')
let requests: ReturnType<typeof openNewTab>
let root: ReturnType<typeof createRoot>
const findBankLink = () => container.querySelector('a.btn')
const renderNote = () => act(() => root.render(<PaymentNote payment={getCheckout().payment} />))

beforeEach(async () => {
  requests = openNewTab(answers)
  answers['preview_purchase'] = okResponse(createQuote())
  $paymentMethods.set({ ...$paymentMethods.get(), isLoaded: true, methods: [] })
  root = createRoot(container)
  await reloadCheckout('unlimited', '?period=monthly')
  selectCheckoutMethod('card1')
  answers['create'] = okResponse({ state: 'pending', process_id: 'p1' })
  answers['get_process_task'] = okResponse({ state: 'pending', begun_at: 1, step: 'asked', action_url: BANK_PAGE_URL })
})
afterEach(() => {
  stopPollingPurchaseTask()
  act(() => root.unmount())
})

test('CHECKOUT-05 a challenged purchase links to the bank page, and continues once the challenge is answered', async () => {
  await submitPurchase()
  await expect
    .poll(() => getCheckout().payment)
    .toMatchObject({ state: 'task', actionUrl: BANK_PAGE_URL, isLong: false })
  renderNote()
  expect(container.textContent).toSatisfy(statesNoCharge)
  expect([findBankLink()?.textContent, findBankLink()?.getAttribute('href')]).toEqual([
    'Confirm with your bank',
    BANK_PAGE_URL,
  ])
  expect([findBankLink()?.getAttribute('target'), findBankLink()?.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ])
  answers['get_process_task'] = null
  // A failed poll must not remove the bank link. The page has processed the failure once it sends the next request.
  const before = requests.length
  await expect.poll(() => requests.length, { timeout: scaleTimeout(10_000) }).toBeGreaterThan(before + 1)
  expect(getCheckout().payment).toMatchObject({ actionUrl: BANK_PAGE_URL })
  answers['get_process_task'] = okResponse({ state: 'done', order: TEST_ORDER })
  await expect.poll(() => getCheckout().payment.state, { timeout: scaleTimeout(10_000) }).toBe('done')
})

test('an invalid bank URL is not shown', async () => {
  answers['get_process_task'] = okResponse({
    state: 'pending',
    begun_at: 1,
    step: 'asked',
    action_url: 'javascript:alert(1)',
  })
  await submitPurchase()
  await expect.poll(() => getCheckout().payment.state).toBe('task')
  renderNote()
  expect(findBankLink()).toBeNull()
})

test('the payment page also links to the bank page', async () => {
  await submitPurchase()
  await expect.poll(() => getCheckout().payment).toMatchObject({ actionUrl: BANK_PAGE_URL })
  act(() => root.render(<RetryPayment />))
  expect(findBankLink()?.getAttribute('href')).toBe(BANK_PAGE_URL)
})

test('an invoice left open by a failed charge also links to the bank until the challenge ends', async () => {
  const card = { method_id: 'm1', type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null } as const
  const method: PaymentMethod = { ...card, state: 'good', is_default: true, may_go: true, added_at: 1 }
  $paymentMethods.set({ ...$paymentMethods.get(), isLoaded: true, methods: [method] })
  const open = {
    total: 1081,
    due_at: 1,
    tries: 1,
    next_tries: [2],
    code: '4220',
    method: { brand: 'visa', last_four: '4221', name: '' },
  }
  answers['pay-open'] = okResponse({ state: 'pending', process_id: 'p1' })
  act(() => root.render(<FailedPayment subscription={CAMERA_SUBSCRIPTION} open={open} now={1} />))
  await act(async () => {
    ;[...container.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith('Pay'))?.click()
    await expect.poll(() => $bankPage.get(), { timeout: scaleTimeout(5000) }).toBe(BANK_PAGE_URL)
  })
  expect(findBankLink()?.getAttribute('href')).toBe(BANK_PAGE_URL)
  answers['get_process_task'] = okResponse({ state: 'done', order: TEST_ORDER })
  await act(async () => {
    await expect.poll(() => $bankPage.get(), { timeout: scaleTimeout(5000) }).toBeNull()
  })
  expect(findBankLink()).toBeNull()
})
