import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import {
  $checkout,
  chooseCameras,
  selectCheckoutMethod,
  choosePeriod,
  submitPurchase,
  restoreCheckout,
  retryWithMethod,
  setCoupon,
} from '../../../src/stores/billing/checkout.ts'
import { syncPaymentMethod } from '../../../src/stores/billing/choose-payment-method.ts'
import { $paymentMethods } from '../../../src/stores/billing/payment-methods.ts'
import { $selectedPayment } from '../../../src/stores/billing/selected-payment-method.ts'
import { stopPollingPurchaseTask } from '../../../src/stores/billing/purchase-task.ts'
import {
  CAMERA_SUBSCRIPTION,
  getCheckout,
  COMPLETED_PURCHASE,
  openNewTab,
  okResponse,
  TEST_ORDER,
  createQuote,
  reloadCheckout,
} from '../../support/checkout.ts'
import type { SentRequest } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const listBodies = (name: string) =>
  requests.filter(({ path }) => path.endsWith(name)).map(({ body }) => body as Record<string, unknown>)
const expectIdenticalPurchases = (calls: number) => {
  const sent = listBodies('create').map((body) => JSON.stringify(body))
  expect([sent.length, new Set(sent).size]).toEqual([calls, 1])
}
const createMethod = (method_id: string): PaymentMethod => ({
  method_id,
  type: 'card',
  brand: 'visa',
  last_four: '4242',
  name: '',
  ends: null,
  state: 'good',
  is_default: true,
  may_go: true,
  added_at: 1,
})

async function openPricedCheckout() {
  await reloadCheckout('unlimited', '?period=monthly')
  selectCheckoutMethod('card1')
}
/** Sends a purchase and loses the response, so that its result is unknown. */
async function losePurchaseResponse() {
  await openPricedCheckout()
  answers['create'] = null
  await submitPurchase()
  expect(getCheckout().payment).toMatchObject({ state: 'failed', isSafe: false })
}

beforeEach(() => {
  requests = openNewTab(answers)
})
afterEach(() => {
  stopPollingPurchaseTask()
  $paymentMethods.set({ ...$paymentMethods.get(), methods: [], isLoaded: false })
  $selectedPayment.set(null)
  vi.useRealTimers()
})

describe('purchase with an unknown outcome', () => {
  test('stays the same purchase when its price expires', async () => {
    vi.useFakeTimers({ now: createQuote().as_of })
    await losePurchaseResponse()
    const prices = listBodies('preview_purchase').length
    await vi.advanceTimersByTimeAsync(601_000)
    expect(listBodies('preview_purchase')).toHaveLength(prices)
    answers['create'] = COMPLETED_PURCHASE
    await submitPurchase()
    expectIdenticalPurchases(2)
    expect(getCheckout().payment.state).toBe('done')
  })

  test('accepts no other choice', async () => {
    await losePurchaseResponse()
    const { form, payment } = getCheckout()
    selectCheckoutMethod('card2')
    chooseCameras(['aa'])
    choosePeriod('annual')
    setCoupon('WELCOME20')
    expect(getCheckout().form).toEqual(form)
    expect(getCheckout().payment).toBe(payment)
    await retryWithMethod('card2')
    expectIdenticalPurchases(2)
  })

  test('is retried with its original payment method, whichever one pays now', async () => {
    await losePurchaseResponse()
    const stop = syncPaymentMethod()
    $paymentMethods.set({ ...$paymentMethods.get(), methods: [createMethod('card9')], isLoaded: true })
    await reloadCheckout('unlimited')
    stop()
    expectIdenticalPurchases(2)
    expect(getCheckout().form.methodId).toBe('card1')
  })

  test('is retried after a reload even if the plan has changed meanwhile', async () => {
    await losePurchaseResponse()
    answers['user_1'] = okResponse({ subscriptions: [{ ...CAMERA_SUBSCRIPTION, sku: 'unlimited', quantity: 1 }] })
    answers['create'] = COMPLETED_PURCHASE
    await reloadCheckout('unlimited', '?period=annual')
    expectIdenticalPurchases(2)
    expect(getCheckout().payment.state).toBe('done')
  })

  test('is retried on the payment page before anything else is paid there', async () => {
    await losePurchaseResponse()
    $checkout.set(null)
    expect(restoreCheckout()).toBe(true)
    await vi.waitFor(() => expect(getCheckout().payment.state).toBe('failed'), WAIT_OPTIONS)
    answers['create'] = COMPLETED_PURCHASE
    await retryWithMethod('card2')
    expectIdenticalPurchases(3)
    expect(getCheckout().payment.state).toBe('done')
  })

  test('keeps its page: another plan’s page says where it continues and sells nothing until then', async () => {
    await losePurchaseResponse()
    await reloadCheckout('camera-ai', '?period=annual')
    choosePeriod('monthly')
    expect(getCheckout()).toMatchObject({
      form: { sku: 'cam-ai' },
      price: { state: 'none' },
      payment: { state: 'elsewhere', segment: 'unlimited', sku: 'unlimited' },
    })
    await submitPurchase()
    expectIdenticalPurchases(1)
    answers['create'] = COMPLETED_PURCHASE
    await reloadCheckout('unlimited')
    expectIdenticalPurchases(2)
  })

  test.each([
    ['429', { code: 429 }],
    ['400', { code: 400 }],
    ['500', { code: 500 }],
    ['503 from a proxy in front of the provider', { code: 503 }],
  ])('still has an unknown outcome after a %s', async (_, answer) => {
    await losePurchaseResponse()
    answers['create'] = answer
    await submitPurchase()
    expect(getCheckout().payment).toMatchObject({ state: 'failed', isSafe: false })
    expect(getCheckout().payment).toHaveProperty('text', expect.not.stringContaining('haven’t been charged'))
    await submitPurchase()
    expectIdenticalPurchases(3)
  })

  test('is not reported as uncharged if answered as another one, and the current plan is reloaded', async () => {
    await losePurchaseResponse()
    answers['create'] = { code: 'intent', status: 422 }
    answers['user_1'] = okResponse({ subscriptions: [{ ...CAMERA_SUBSCRIPTION, sku: 'unlimited', quantity: 1 }] })
    await submitPurchase()
    expect(getCheckout()).toMatchObject({ own: { sku: 'unlimited' }, price: { state: 'same' } })
    expect(getCheckout().payment).toMatchObject({ state: 'refused', why: 'unclear' })
    expect(getCheckout().payment).toHaveProperty('text', expect.not.stringContaining('haven’t been charged'))
  })
})

describe('rejected purchase', () => {
  test('has charged nothing if it was rejected before processing, and allows a new choice', async () => {
    await openPricedCheckout()
    answers['create'] = { code: 400 }
    await submitPurchase()
    expect(getCheckout().payment).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('You haven’t been charged.'),
    })
    choosePeriod('annual')
    expect(getCheckout().form.period).toBe('annual')
  })

  test.each([408, 429])('may have charged after a %i: another press repeats the same purchase', async (code) => {
    await openPricedCheckout()
    answers['create'] = { code }
    await submitPurchase()
    expect(getCheckout().payment).toEqual({
      state: 'failed',
      isSafe: false,
      text: 'We couldn’t confirm the payment. Try again: you won’t be charged twice.',
    })
    answers['create'] = COMPLETED_PURCHASE
    await submitPurchase()
    expectIdenticalPurchases(2)
  })

  test('waits for another press if the bank was unreachable, even after a reload', async () => {
    await openPricedCheckout()
    answers['create'] = { code: 'gateway', status: 503 }
    await submitPurchase()
    expect(getCheckout().payment).toMatchObject({
      isSafe: true,
      text: expect.stringContaining('You haven’t been charged.'),
    })
    await reloadCheckout('unlimited')
    expect(getCheckout()).toMatchObject({ price: { state: 'ready' }, payment: { state: 'idle' } })
    expectIdenticalPurchases(1)
    answers['create'] = COMPLETED_PURCHASE
    await submitPurchase()
    expectIdenticalPurchases(2)
  })
})

describe('pending purchase', () => {
  const startPurchase = async () => {
    await openPricedCheckout()
    answers['create'] = okResponse({ state: 'pending', process_id: 'p1' })
    answers['get_process_task'] = okResponse({ state: 'pending', begun_at: 1, step: 'asked' })
    await submitPurchase()
    await vi.waitFor(() => expect(listBodies('get_process_task')).toHaveLength(1), WAIT_OPTIONS)
    stopPollingPurchaseTask()
  }

  test('keeps its price after a reload, and a later decline is kept for another payment method', async () => {
    await startPurchase()
    answers['get_process_task'] = okResponse({ state: 'failed', code: '4221', msg: '' })
    const prices = listBodies('preview_purchase').length
    await reloadCheckout('unlimited')
    expect(getCheckout().price).toMatchObject({ state: 'ready', quote: { due: 1081 } })
    await vi.waitFor(() => expect(getCheckout().payment.state).toBe('declined'), WAIT_OPTIONS)
    expect(getCheckout().payment).toMatchObject({ code: '4221', cents: 1081, methodId: 'card1' })
    expect(listBodies('preview_purchase')).toHaveLength(prices)
    $checkout.set(null)
    expect(restoreCheckout()).toBe(true)
    answers['create'] = COMPLETED_PURCHASE
    await retryWithMethod('card2')
    const [first, second] = listBodies('create')
    expect(second).toMatchObject({ method_id: 'card2', quote: 'sealed' })
    expect(second?.['intent']).not.toBe(first?.['intent'])
  })

  test('does not take over the page of another plan', async () => {
    await startPurchase()
    const polls = listBodies('get_process_task').length
    await reloadCheckout('camera-ai', '?period=monthly')
    expect(getCheckout()).toMatchObject({
      form: { sku: 'cam-ai' },
      payment: { state: 'elsewhere', segment: 'unlimited' },
    })
    expect(listBodies('get_process_task')).toHaveLength(polls)
    answers['get_process_task'] = okResponse({ state: 'done', order: TEST_ORDER })
    await reloadCheckout('unlimited')
    await vi.waitFor(() => expect(getCheckout().payment.state).toBe('done'), WAIT_OPTIONS)
  })
})

test('the purchased plan is shown when Back restores the page as it was', async () => {
  await openPricedCheckout()
  answers['create'] = COMPLETED_PURCHASE
  await submitPurchase()
  answers['user_1'] = okResponse({ subscriptions: [{ ...CAMERA_SUBSCRIPTION, sku: 'unlimited', quantity: 1 }] })
  await reloadCheckout('unlimited')
  expect(getCheckout()).toMatchObject({ own: { sku: 'unlimited' }, form: { period: '' }, payment: { state: 'idle' } })
  choosePeriod('monthly')
  expect(getCheckout().price.state).toBe('same')
})

test('a card added meanwhile pays the stored price with its own idempotency key', async () => {
  await reloadCheckout('unlimited', '?period=monthly')
  const { intent } = JSON.parse(sessionStorage.getItem('checkout') ?? '') as { intent: string }
  $paymentMethods.set({ ...$paymentMethods.get(), methods: [createMethod('card9')], isLoaded: true })
  $checkout.set(null)
  const stop = syncPaymentMethod()
  await reloadCheckout('unlimited')
  stop()
  answers['create'] = COMPLETED_PURCHASE
  await submitPurchase()
  expect(listBodies('preview_purchase')).toHaveLength(1)
  expect(listBodies('create')).toEqual([expect.objectContaining({ quote: 'sealed', method_id: 'card9' })])
  expect(listBodies('create')[0]?.['intent']).not.toBe(intent)
})
