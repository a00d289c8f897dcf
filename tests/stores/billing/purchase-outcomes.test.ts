import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import {
  $checkout,
  chooseCameras,
  selectCheckoutMethod,
  choosePeriod,
  leaveRefusal,
  pay,
  restoreCheckout,
  retryWith,
  setCoupon,
} from '../../../src/stores/billing/checkout.ts'
import { syncPaymentMethod } from '../../../src/stores/billing/choose-payment-method.ts'
import { $payment } from '../../../src/stores/billing/payment-methods.ts'
import { $selectedPayment } from '../../../src/stores/billing/selected-payment-method.ts'
import { leaveTask } from '../../../src/stores/billing/purchase-task.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { camera, checkout, done, newTab, ok, order, quote, reload } from '../../support/checkout.ts'
import type { SentRequest } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const bodies = (name: string) =>
  requests.filter(({ path }) => path.endsWith(name)).map(({ body }) => body as Record<string, unknown>)
const oneIntent = (calls: number) => {
  const sent = bodies('create').map((body) => JSON.stringify(body))
  expect([sent.length, new Set(sent).size]).toEqual([calls, 1])
}
const method = (method_id: string): PaymentMethod => ({
  ...{ method_id, type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null },
  ...{ state: 'good', is_default: true, may_go: true, added_at: 1 },
})

async function ready() {
  await reload('unlimited', '?period=monthly')
  selectCheckoutMethod('card1')
}
/** Sends a purchase whose result stays unknown. */
async function lost() {
  await ready()
  answers['create'] = null
  await pay()
  expect(checkout().payment).toMatchObject({ state: 'failed', isSafe: false })
}

beforeEach(() => {
  requests = newTab(answers)
})
afterEach(() => {
  leaveTask()
  $payment.set({ ...$payment.get(), methods: [], isLoaded: false })
  $selectedPayment.set(null)
  vi.useRealTimers()
})

describe('purchase with an unknown outcome', () => {
  test('stays the same purchase when its price expires', async () => {
    vi.useFakeTimers({ now: quote().as_of })
    await lost()
    const prices = bodies('preview_purchase').length
    await vi.advanceTimersByTimeAsync(601_000)
    expect(bodies('preview_purchase')).toHaveLength(prices)
    answers['create'] = done
    await pay()
    oneIntent(2)
    expect(checkout().payment.state).toBe('done')
  })

  test('accepts no other choice', async () => {
    await lost()
    const { form, payment } = checkout()
    selectCheckoutMethod('card2')
    chooseCameras(['aa'])
    choosePeriod('annual')
    setCoupon('WELCOME20')
    expect(checkout().form).toEqual(form)
    expect(checkout().payment).toBe(payment)
    await retryWith('card2')
    oneIntent(2)
  })

  test('is retried with its original payment method, whichever one pays now', async () => {
    await lost()
    const stop = syncPaymentMethod()
    $payment.set({ ...$payment.get(), methods: [method('card9')], isLoaded: true })
    await reload('unlimited')
    stop()
    oneIntent(2)
    expect(checkout().form.methodId).toBe('card1')
  })

  test('is retried after a reload even if the plan has changed meanwhile', async () => {
    await lost()
    answers['user_1'] = ok({ subscriptions: [{ ...camera, sku: 'unlimited', quantity: 1 }] })
    answers['create'] = done
    await reload('unlimited', '?period=annual')
    oneIntent(2)
    expect(checkout().payment.state).toBe('done')
  })

  test('is retried on the payment page before anything else is paid there', async () => {
    await lost()
    $checkout.set(null)
    expect(restoreCheckout()).toBe(true)
    await vi.waitFor(() => expect(checkout().payment.state).toBe('failed'), patience)
    answers['create'] = done
    await retryWith('card2')
    oneIntent(3)
    expect(checkout().payment.state).toBe('done')
  })

  test('keeps its page: another plan’s page says where it continues and sells nothing until then', async () => {
    await lost()
    await reload('camera-ai', '?period=annual')
    choosePeriod('monthly')
    expect(checkout()).toMatchObject({
      form: { sku: 'cam-ai' },
      price: { state: 'none' },
      payment: { state: 'elsewhere', segment: 'unlimited', sku: 'unlimited' },
    })
    await pay()
    oneIntent(1)
    answers['create'] = done
    await reload('unlimited')
    oneIntent(2)
  })

  test.each([
    ['429', { code: 429 }],
    ['400', { code: 400 }],
    ['500', { code: 500 }],
    ['503 of whatever stands before the provider', { code: 503 }],
  ])('still has an unknown outcome after a %s', async (_, answer) => {
    await lost()
    answers['create'] = answer
    await pay()
    expect(checkout().payment).toMatchObject({ state: 'failed', isSafe: false })
    expect(checkout().payment).toHaveProperty('text', expect.not.stringContaining('Nothing was charged'))
    await pay()
    oneIntent(3)
  })

  test('is not reported as uncharged if answered as another one, and the current plan is reloaded', async () => {
    await lost()
    answers['create'] = { code: 'intent', status: 422 }
    answers['user_1'] = ok({ subscriptions: [{ ...camera, sku: 'unlimited', quantity: 1 }] })
    await pay()
    expect(checkout()).toMatchObject({ own: { sku: 'unlimited' }, price: { state: 'same' } })
    expect(checkout().payment).toMatchObject({
      ...{ state: 'refused', why: 'unclear', text: expect.not.stringContaining('Nothing was charged') },
    })
  })
})

describe('rejected purchase', () => {
  test('has charged nothing if it was rejected before processing, and allows a new choice', async () => {
    await ready()
    answers['create'] = { code: 429 }
    await pay()
    expect(checkout().payment).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('Nothing was charged.'),
    })
    choosePeriod('annual')
    expect(checkout().form.period).toBe('annual')
  })

  test('waits for another press if the bank was unreachable, even after a reload', async () => {
    await ready()
    answers['create'] = { code: 'gateway', status: 503 }
    await pay()
    expect(checkout().payment).toMatchObject({ isSafe: true, text: expect.stringContaining('Nothing was charged.') })
    await reload('unlimited')
    expect(checkout()).toMatchObject({ price: { state: 'ready' }, payment: { state: 'idle' } })
    oneIntent(1)
    answers['create'] = done
    await pay()
    oneIntent(2)
  })
})

describe('pending purchase', () => {
  const startPurchase = async () => {
    await ready()
    answers['create'] = ok({ state: 'pending', process_id: 'p1' })
    answers['get_process_task'] = ok({ state: 'pending', begun_at: 1, step: 'asked' })
    await pay()
    await vi.waitFor(() => expect(bodies('get_process_task')).toHaveLength(1), patience)
    leaveTask()
  }

  test('keeps its price after a reload, and a later decline is kept for another payment method', async () => {
    await startPurchase()
    answers['get_process_task'] = ok({ state: 'failed', code: '4221', msg: '' })
    const prices = bodies('preview_purchase').length
    await reload('unlimited')
    expect(checkout().price).toMatchObject({ state: 'ready', quote: { due: 1081 } })
    await vi.waitFor(() => expect(checkout().payment.state).toBe('declined'), patience)
    expect(checkout().payment).toMatchObject({ code: '4221', cents: 1081, methodId: 'card1' })
    expect(bodies('preview_purchase')).toHaveLength(prices)
    $checkout.set(null)
    expect(restoreCheckout()).toBe(true)
    answers['create'] = done
    await retryWith('card2')
    const [first, second] = bodies('create')
    expect(second).toMatchObject({ method_id: 'card2', quote: 'sealed' })
    expect(second?.['intent']).not.toBe(first?.['intent'])
  })

  test('does not take over the page of another plan', async () => {
    await startPurchase()
    const polls = bodies('get_process_task').length
    await reload('camera-ai', '?period=monthly')
    expect(checkout()).toMatchObject({ form: { sku: 'cam-ai' }, payment: { state: 'elsewhere', segment: 'unlimited' } })
    expect(bodies('get_process_task')).toHaveLength(polls)
    answers['get_process_task'] = ok({ state: 'done', order })
    await reload('unlimited')
    await vi.waitFor(() => expect(checkout().payment.state).toBe('done'), patience)
  })
})

test('the purchased plan is shown when Back restores the page as it was', async () => {
  await ready()
  answers['create'] = done
  await pay()
  answers['user_1'] = ok({ subscriptions: [{ ...camera, sku: 'unlimited', quantity: 1 }] })
  await reload('unlimited')
  expect(checkout()).toMatchObject({ own: { sku: 'unlimited' }, form: { period: '' }, payment: { state: 'idle' } })
  choosePeriod('monthly')
  expect(checkout().price.state).toBe('same')
})

test('a card added meanwhile pays the stored price with its own idempotency key', async () => {
  await reload('unlimited', '?period=monthly')
  const { intent } = JSON.parse(sessionStorage.getItem('checkout') ?? '') as { intent: string }
  $payment.set({ ...$payment.get(), methods: [method('card9')], isLoaded: true })
  $checkout.set(null)
  const stop = syncPaymentMethod()
  await reload('unlimited')
  stop()
  answers['create'] = done
  await pay()
  expect(bodies('preview_purchase')).toHaveLength(1)
  expect(bodies('create')).toEqual([expect.objectContaining({ quote: 'sealed', method_id: 'card9' })])
  expect(bodies('create')[0]?.['intent']).not.toBe(intent)
})

describe('declined payment', () => {
  const refuse = async () => {
    await ready()
    answers['create'] = { code: 4221, msg: '' }
    await pay()
    $checkout.set(null)
  }

  test('is cleared on return to the list of payment methods while its price is valid', async () => {
    await refuse()
    expect(restoreCheckout()).toBe(true)
    leaveRefusal()
    expect(checkout().payment.state).toBe('idle')
    $checkout.set(null)
    expect(restoreCheckout()).toBe(false)
  })

  test('expires with its price', async () => {
    vi.useFakeTimers({ now: quote().as_of })
    await refuse()
    vi.setSystemTime(quote().expires_at)
    expect(restoreCheckout()).toBe(false)
  })

  test('is not shown if it belongs to another account in this tab', async () => {
    await refuse()
    $userId.set('user_2')
    expect(restoreCheckout()).toBe(false)
  })
})
