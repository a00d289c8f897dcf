import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { BLANK_CARD_CART } from '../../../src/domain/billing/purchase-cart.ts'
import { reloadSubscriptions } from '../../../src/stores/billing/subscriptions.ts'
import { $cardCart } from '../../../src/stores/billing/carts.ts'
import {
  $checkout,
  selectCheckoutMethod,
  choosePeriod,
  choosePro,
  chooseQuantity,
  openCheckout,
  submitPurchase,
  restoreCheckout,
  retryWithMethod,
  setCoupon,
} from '../../../src/stores/billing/checkout.ts'
import { stopPollingPurchaseTask } from '../../../src/stores/billing/purchase-task.ts'
import { $toast } from '../../../src/stores/shell/toasts.ts'
import {
  CAMERA_SUBSCRIPTION,
  getCheckout,
  COMPLETED_PURCHASE,
  openNewTab,
  okResponse,
  TEST_ORDER,
  createQuote,
} from '../../support/checkout.ts'
import type { SentRequest } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const listBodies = (name: string) =>
  requests.filter(({ path }) => path.endsWith(name)).map(({ body }) => body as Record<string, unknown>)

async function openSegment(segment = 'unlimited', subscriptions: Subscription[] = [], search = '') {
  answers['user_1'] = okResponse({ subscriptions })
  await reloadSubscriptions()
  await openCheckout(segment, search)
}
const waitForPrice = () => vi.waitFor(() => expect(getCheckout().price.state).not.toBe('asking'), WAIT_OPTIONS)

beforeEach(() => {
  requests = openNewTab(answers)
})
afterEach(() => {
  stopPollingPurchaseTask()
  vi.useRealTimers()
})

describe('the price of the selected plan', () => {
  test('is requested once a period is selected, and not before', async () => {
    await openSegment()
    expect(getCheckout()).toMatchObject({ form: { period: '', sku: 'unlimited' }, price: { state: 'none' } })
    expect(listBodies('preview_purchase')).toEqual([])
    choosePeriod('monthly')
    await waitForPrice()
    expect(listBodies('preview_purchase')).toEqual([{ sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 }])
    expect(getCheckout().price).toMatchObject({ state: 'ready', quote: { due: 1081 } })
  })

  test('is for the plan that a link names, even if another plan of the page was chosen before', async () => {
    await openSegment('unlimited', [], '?period=monthly&plan=pro')
    expect(getCheckout().form.sku).toBe('pro')
    await openSegment('unlimited', [], '?period=annual')
    expect(getCheckout().form).toMatchObject({ sku: 'unlimited', period: 'annual' })
  })

  test('follows each change, and drops the response to an older one', async () => {
    await openSegment('unlimited', [], '?period=monthly')
    const amounts: number[] = []
    const stop = $checkout.listen((now) => now?.price.state === 'ready' && amounts.push(now.price.quote.due))
    answers['preview_purchase'] = okResponse(createQuote({ due: 2 }))
    choosePro(true)
    expect(getCheckout().price).toMatchObject({ state: 'asking', before: { due: 1081 } })
    answers['preview_purchase'] = okResponse(createQuote({ due: 3 }))
    choosePro(false)
    await waitForPrice()
    stop()
    expect([amounts.includes(2), amounts.at(-1)]).toEqual([false, 3])
  })

  test('is requested for the current plan only if a scheduled change would be canceled', async () => {
    await openSegment('camera-ai', [CAMERA_SUBSCRIPTION], '?period=monthly')
    await waitForPrice()
    expect([getCheckout().price.state, listBodies('preview_purchase')]).toEqual(['same', []])
    await openSegment(
      'camera-ai',
      [{ ...CAMERA_SUBSCRIPTION, scheduled: { ...CAMERA_SUBSCRIPTION, quantity: 2 } }],
      '?period=monthly',
    )
    await waitForPrice()
    expect(getCheckout().price.state).toBe('ready')
    expect(listBodies('preview_purchase')).toMatchObject([{ quantity: 3, subscription_id: 's1', revision: 4 }])
  })

  test('is requested without a rejected coupon, and both the field and a toast say why', async () => {
    await openSegment('unlimited', [], '?period=monthly')
    answers['preview_purchase'] = { code: 4106, msg: '' }
    setCoupon('E4106')
    await vi.waitFor(() => expect(getCheckout().coupon.state).toBe('refused'), WAIT_OPTIONS)
    answers['preview_purchase'] = okResponse(createQuote())
    expect(getCheckout().coupon).toMatchObject({
      tried: 'E4106',
      code: '4106',
      text: expect.stringMatching(/^You are not/),
    })
    expect($toast.get()?.text).toMatch(/^You are not eligible/)
    expect(listBodies('preview_purchase').map((body) => 'coupon' in body)).toEqual([false, true, false])
  })

  test('of a plan change names the subscription and its revision, and is not requested without a change', async () => {
    await openSegment('camera-ai', [CAMERA_SUBSCRIPTION], '?period=monthly')
    expect(getCheckout()).toMatchObject({ own: { subscription_id: 's1' }, price: { state: 'same' } })
    chooseQuantity(5)
    await waitForPrice()
    expect(listBodies('preview_purchase')).toEqual([
      { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 5, subscription_id: 's1', revision: 4 },
    ])
    expect($cardCart.get().update).toEqual({ sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 5 })
    expect($cardCart.get().checkout.sku).toBe('')
  })
})

describe('a purchase', () => {
  const openPricedCheckout = async (subscriptions: Subscription[] = []) => {
    await openSegment('unlimited', subscriptions, '?period=monthly')
    selectCheckoutMethod('card1')
  }

  test('contains the card cart and the quote, never a price, and is stored for the next page', async () => {
    await openPricedCheckout()
    answers['create'] = COMPLETED_PURCHASE
    await submitPurchase()
    expect(listBodies('create')).toEqual([
      {
        sku: 'unlimited',
        level: 2,
        mode: 'monthly',
        quantity: 1,
        quote: 'sealed',
        method_id: 'card1',
        cameras: [],
        intent: expect.stringMatching(/^[\w-]{36}$/),
      },
    ])
    expect(getCheckout().payment).toEqual({ state: 'done', order: TEST_ORDER })
    expect(JSON.parse(sessionStorage.getItem('bought') ?? '')).toEqual({
      order: TEST_ORDER,
      before: { cameras: [], days: 1 },
    })
    expect($cardCart.get()).toEqual(BLANK_CARD_CART)
    expect(sessionStorage.getItem('checkout')).toBeNull()
  })

  test('with an existing plan is a change, with its change code', async () => {
    answers['preview_purchase'] = okResponse(createQuote({ mode: 'update', change: 51 }))
    await openPricedCheckout([CAMERA_SUBSCRIPTION])
    answers['update_v3'] = COMPLETED_PURCHASE
    await submitPurchase()
    expect(listBodies('update_v3')).toEqual([
      expect.objectContaining({ change: 51, subscription_id: 's1', revision: 4, sku: 'unlimited' }),
    ])
  })

  test('is sent once for two clicks, and retried with the same key without a response, even after reload', async () => {
    await openPricedCheckout()
    await Promise.all([submitPurchase(), submitPurchase()])
    expect(listBodies('create')).toHaveLength(1)
    expect(getCheckout().payment).toMatchObject({ state: 'failed', isSafe: false })
    await submitPurchase()
    answers['create'] = COMPLETED_PURCHASE
    $checkout.set(null)
    await openCheckout('unlimited', '')
    const keys = listBodies('create').map(({ intent, quote }) => `${String(intent)} ${String(quote)}`)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(getCheckout().payment.state).toBe('done')
  })

  test('that is declined keeps selection and price for a new document; a retry has its own key', async () => {
    await openPricedCheckout()
    answers['create'] = { code: 4221, msg: '' }
    await submitPurchase()
    const declined = { state: 'declined', code: '4221', cents: 1081, methodId: 'card1' }
    expect(getCheckout().payment).toMatchObject(declined)
    expect($toast.get()?.text).toMatch(/insufficient funds/)
    $checkout.set(null)
    expect(restoreCheckout()).toBe(true)
    expect(getCheckout()).toMatchObject({ payment: declined, price: { state: 'ready', quote: { due: 1081 } } })
    answers['create'] = COMPLETED_PURCHASE
    await retryWithMethod('card2')
    const [first, second] = listBodies('create')
    expect(second).toMatchObject({ method_id: 'card2', quote: 'sealed' })
    expect(second?.['intent']).not.toBe(first?.['intent'])
    expect(getCheckout().payment.state).toBe('done')
  })

  test('at an outdated price shows the new price with its changes, and charges nothing', async () => {
    await openPricedCheckout()
    const [line] = createQuote().lines
    const fresh = createQuote({ quote: 'again', lines: [{ ...line!, amount: 1099, unit: 1099 }], due: 1190 })
    answers['create'] = { code: 'quote', msg: '', data: fresh }
    await submitPurchase()
    expect(getCheckout()).toMatchObject({
      price: { state: 'ready', quote: { quote: 'again' }, changed: ['plan0', 'total'] },
      payment: { state: 'refused', why: 'price', text: expect.stringContaining('You haven’t been charged.') },
    })
    answers['create'] = COMPLETED_PURCHASE
    await submitPurchase()
    expect(listBodies('create').map((body) => body['quote'])).toEqual(['sealed', 'again'])
  })

  test('of a plan that another tab has bought says so, and reloads the subscriptions', async () => {
    await openPricedCheckout()
    answers['create'] = { code: 'exists', msg: '' }
    answers['user_1'] = okResponse({ subscriptions: [{ ...CAMERA_SUBSCRIPTION, sku: 'unlimited', quantity: 1 }] })
    await submitPurchase()
    expect(getCheckout()).toMatchObject({
      own: { sku: 'unlimited' },
      price: { state: 'same' },
      payment: { state: 'refused', why: 'exists' },
    })
  })

  test('that the payment gateway does not answer charges nothing, and can be retried', async () => {
    await openPricedCheckout()
    answers['create'] = { code: 'gateway', status: 503, msg: '' }
    await submitPurchase()
    expect(getCheckout().payment).toMatchObject({ state: 'failed', isSafe: true })
    expect(getCheckout().payment).toHaveProperty('text', expect.stringContaining('You haven’t been charged.'))
  })

  test('CHECKOUT-05 that is pending is polled, and a reload resumes it', async () => {
    await openPricedCheckout()
    answers['create'] = okResponse({ state: 'pending', process_id: 'p1' })
    answers['get_process_task'] = okResponse({ state: 'pending', begun_at: 1, step: 'asked' })
    await submitPurchase()
    await vi.waitFor(() => expect(listBodies('get_process_task')).toEqual([{ process_id: 'p1' }]), WAIT_OPTIONS)
    expect(getCheckout().payment).toMatchObject({ state: 'task', step: 'asked', isLong: false })
    stopPollingPurchaseTask()
    $checkout.set(null)
    answers['get_process_task'] = okResponse({ state: 'done', order: TEST_ORDER })
    await openCheckout('unlimited', '')
    await vi.waitFor(() => expect(getCheckout().payment.state).toBe('done'), WAIT_OPTIONS)
    expect(sessionStorage.getItem('purchase_task')).toBeNull()
  })

  test('CHECKOUT-05 is no longer polled after eleven minutes', async () => {
    vi.useFakeTimers()
    await openPricedCheckout()
    answers['create'] = okResponse({ state: 'pending', process_id: 'p1' })
    answers['get_process_task'] = okResponse({ state: 'pending', begun_at: 1, step: 'authorised' })
    await submitPurchase()
    await vi.advanceTimersByTimeAsync(700_000)
    expect(getCheckout().payment).toMatchObject({ state: 'task', step: 'authorised', isLong: true })
    expect(listBodies('get_process_task').length).toBeGreaterThan(60 + 100)
    expect(listBodies('get_process_task').length).toBeLessThan(60 + 130)
  })
})
