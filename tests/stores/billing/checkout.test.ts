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
  pay,
  restoreCheckout,
  retryWith,
  setCoupon,
} from '../../../src/stores/billing/checkout.ts'
import { leaveTask } from '../../../src/stores/billing/purchase-task.ts'
import { $toast } from '../../../src/stores/shell/toasts.ts'
import { camera, checkout, done, newTab, ok, order, quote } from '../../support/checkout.ts'
import type { SentRequest } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const bodies = (name: string) =>
  requests.filter(({ path }) => path.endsWith(name)).map(({ body }) => body as Record<string, unknown>)

async function open(segment = 'unlimited', subscriptions: Subscription[] = [], search = '') {
  answers['user_1'] = ok({ subscriptions })
  await reloadSubscriptions()
  await openCheckout(segment, search)
}
const settled = () => vi.waitFor(() => expect(checkout().price.state).not.toBe('asking'), patience)

beforeEach(() => {
  requests = newTab(answers)
})
afterEach(() => {
  leaveTask()
  vi.useRealTimers()
})

describe('the price of the selected plan', () => {
  test('is requested once a period is selected, and not before', async () => {
    await open()
    expect(checkout()).toMatchObject({ form: { period: '', sku: 'unlimited' }, price: { state: 'none' } })
    expect(bodies('preview_purchase')).toEqual([])
    choosePeriod('monthly')
    await settled()
    expect(bodies('preview_purchase')).toEqual([{ sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 }])
    expect(checkout().price).toMatchObject({ state: 'ready', quote: { due: 1081 } })
  })

  test('follows each change, and drops the response to an older one', async () => {
    await open('unlimited', [], '?period=monthly')
    const amounts: number[] = []
    const stop = $checkout.listen((now) => now?.price.state === 'ready' && amounts.push(now.price.quote.due))
    answers['preview_purchase'] = ok(quote({ due: 2 }))
    choosePro(true)
    expect(checkout().price).toMatchObject({ state: 'asking', before: { due: 1081 } })
    answers['preview_purchase'] = ok(quote({ due: 3 }))
    choosePro(false)
    await settled()
    stop()
    expect([amounts.includes(2), amounts.at(-1)]).toEqual([false, 3])
  })

  test('is requested for the current plan only if a scheduled change would be canceled', async () => {
    await open('camera-ai', [camera], '?period=monthly')
    await settled()
    expect([checkout().price.state, bodies('preview_purchase')]).toEqual(['same', []])
    await open('camera-ai', [{ ...camera, scheduled: { ...camera, quantity: 2 } }], '?period=monthly')
    await settled()
    expect(checkout().price.state).toBe('ready')
    expect(bodies('preview_purchase')).toMatchObject([{ quantity: 3, subscription_id: 's1', revision: 4 }])
  })

  test('is requested without a rejected coupon, and both the field and a toast say why', async () => {
    await open('unlimited', [], '?period=monthly')
    answers['preview_purchase'] = { code: 4106, msg: '' }
    setCoupon('E4106')
    await vi.waitFor(() => expect(checkout().coupon.state).toBe('refused'), patience)
    answers['preview_purchase'] = ok(quote())
    expect(checkout().coupon).toMatchObject({
      tried: 'E4106',
      code: '4106',
      text: expect.stringMatching(/^You are not/),
    })
    expect($toast.get()?.text).toMatch(/^You are not eligible/)
    expect(bodies('preview_purchase').map((body) => 'coupon' in body)).toEqual([false, true, false])
  })

  test('of a plan change names the subscription and its revision, and is not requested without a change', async () => {
    await open('camera-ai', [camera], '?period=monthly')
    expect(checkout()).toMatchObject({ own: { subscription_id: 's1' }, price: { state: 'same' } })
    chooseQuantity(5)
    await settled()
    expect(bodies('preview_purchase')).toEqual([
      { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 5, subscription_id: 's1', revision: 4 },
    ])
    expect($cardCart.get().update).toEqual({ sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 5 })
    expect($cardCart.get().checkout.sku).toBe('')
  })
})

describe('a purchase', () => {
  const ready = async (subscriptions: Subscription[] = []) => {
    await open('unlimited', subscriptions, '?period=monthly')
    selectCheckoutMethod('card1')
  }

  test('contains the card cart and the quote, never a price, and is stored for the next page', async () => {
    await ready()
    answers['create'] = done
    await pay()
    expect(bodies('create')).toEqual([
      {
        ...{ sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1, quote: 'sealed', method_id: 'card1' },
        ...{ cameras: [], intent: expect.stringMatching(/^[\w-]{36}$/) },
      },
    ])
    expect(checkout().payment).toEqual({ state: 'done', order })
    expect(JSON.parse(sessionStorage.getItem('bought') ?? '')).toEqual({ order, before: { cameras: [], days: 1 } })
    expect($cardCart.get()).toEqual(BLANK_CARD_CART)
    expect(sessionStorage.getItem('checkout')).toBeNull()
  })

  test('with an existing plan is a change, with its change code', async () => {
    answers['preview_purchase'] = ok(quote({ mode: 'update', change: 51 }))
    await ready([camera])
    answers['update_v3'] = done
    await pay()
    expect(bodies('update_v3')).toEqual([
      expect.objectContaining({ change: 51, subscription_id: 's1', revision: 4, sku: 'unlimited' }),
    ])
  })

  test('is sent once for two clicks, and retried with the same key without a response, even after reload', async () => {
    await ready()
    await Promise.all([pay(), pay()])
    expect(bodies('create')).toHaveLength(1)
    expect(checkout().payment).toMatchObject({ state: 'failed', isSafe: false })
    await pay()
    answers['create'] = done
    $checkout.set(null)
    await openCheckout('unlimited', '')
    const keys = bodies('create').map(({ intent, quote }) => `${String(intent)} ${String(quote)}`)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(checkout().payment.state).toBe('done')
  })

  test('that is declined keeps selection and price for a new document; a retry has its own key', async () => {
    await ready()
    answers['create'] = { code: 4221, msg: '' }
    await pay()
    const declined = { state: 'declined', code: '4221', cents: 1081, methodId: 'card1' }
    expect(checkout().payment).toMatchObject(declined)
    expect($toast.get()?.text).toMatch(/insufficient funds/)
    $checkout.set(null)
    expect(restoreCheckout()).toBe(true)
    expect(checkout()).toMatchObject({ payment: declined, price: { state: 'ready', quote: { due: 1081 } } })
    answers['create'] = done
    await retryWith('card2')
    const [first, second] = bodies('create')
    expect(second).toMatchObject({ method_id: 'card2', quote: 'sealed' })
    expect(second?.['intent']).not.toBe(first?.['intent'])
    expect(checkout().payment.state).toBe('done')
  })

  test('at an outdated price shows the new price with its changes, and charges nothing', async () => {
    await ready()
    const [line] = quote().lines
    const fresh = quote({ quote: 'again', lines: [{ ...line!, amount: 1099, unit: 1099 }], due: 1190 })
    answers['create'] = { code: 'quote', msg: '', data: fresh }
    await pay()
    expect(checkout()).toMatchObject({
      price: { state: 'ready', quote: { quote: 'again' }, changed: ['plan0', 'total'] },
      payment: { state: 'refused', why: 'price', text: expect.stringContaining('Nothing was charged.') },
    })
    answers['create'] = done
    await pay()
    expect(bodies('create').map((body) => body['quote'])).toEqual(['sealed', 'again'])
  })

  test('of a plan that another tab has bought says so, and reloads the subscriptions', async () => {
    await ready()
    answers['create'] = { code: 'exists', msg: '' }
    answers['user_1'] = ok({ subscriptions: [{ ...camera, sku: 'unlimited', quantity: 1 }] })
    await pay()
    expect(checkout()).toMatchObject({
      own: { sku: 'unlimited' },
      price: { state: 'same' },
      payment: { state: 'refused', why: 'exists' },
    })
  })

  test('that the payment gateway does not answer charges nothing, and can be retried', async () => {
    await ready()
    answers['create'] = { code: 'gateway', status: 503, msg: '' }
    await pay()
    expect(checkout().payment).toMatchObject({ state: 'failed', isSafe: true })
    expect(checkout().payment).toHaveProperty('text', expect.stringContaining('Nothing was charged.'))
  })

  test('CHECKOUT-05 that is pending is polled, and a reload resumes it', async () => {
    await ready()
    answers['create'] = ok({ state: 'pending', process_id: 'p1' })
    answers['get_process_task'] = ok({ state: 'pending', begun_at: 1, step: 'asked' })
    await pay()
    await vi.waitFor(() => expect(bodies('get_process_task')).toEqual([{ process_id: 'p1' }]), patience)
    expect(checkout().payment).toMatchObject({ state: 'task', step: 'asked', isLong: false })
    leaveTask()
    $checkout.set(null)
    answers['get_process_task'] = ok({ state: 'done', order })
    await openCheckout('unlimited', '')
    await vi.waitFor(() => expect(checkout().payment.state).toBe('done'), patience)
    expect(sessionStorage.getItem('purchase_task')).toBeNull()
  })

  test('CHECKOUT-05 is no longer polled after eleven minutes', async () => {
    vi.useFakeTimers()
    await ready()
    answers['create'] = ok({ state: 'pending', process_id: 'p1' })
    answers['get_process_task'] = ok({ state: 'pending', begun_at: 1, step: 'authorised' })
    await pay()
    await vi.advanceTimersByTimeAsync(700_000)
    expect(checkout().payment).toMatchObject({ state: 'task', step: 'authorised', isLong: true })
    expect(bodies('get_process_task').length).toBeGreaterThan(60 + 100)
    expect(bodies('get_process_task').length).toBeLessThan(60 + 130)
  })
})
