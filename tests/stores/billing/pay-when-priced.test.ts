import { beforeEach, describe, expect, test, vi } from 'vitest'
import { $checkout, selectCheckoutMethod, choosePeriod, pressEarly } from '../../../src/stores/billing/checkout.ts'
import { loadQuote } from '../../../src/stores/billing/price-quote.ts'
import {
  getCheckout,
  COMPLETED_PURCHASE,
  openNewTab,
  okResponse,
  createQuote,
  reloadCheckout,
} from '../../support/checkout.ts'
import type { SentRequest } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { statesNoCharge } from '../../support/facts.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const countPurchases = () => requests.filter(({ path }) => path.endsWith('/create')).length

beforeEach(() => {
  requests = openNewTab(answers)
  answers['create'] = COMPLETED_PURCHASE
})

describe('payment click before the price has loaded', () => {
  /** Opens a checkout that has shown the monthly price, then requests that price again. */
  async function reloadShownPrice(): Promise<void> {
    await reloadCheckout('unlimited', '?period=monthly')
    selectCheckoutMethod('m1')
    void loadQuote()
    expect(getCheckout().price).toMatchObject({ state: 'asking', before: { due: 1081 } })
  }

  test('buys once the price has loaded, if it is the price that was seen', async () => {
    await reloadShownPrice()
    const pressed = pressEarly()
    expect([getCheckout().payment.state, countPurchases()]).toEqual(['waiting', 0])
    await pressed
    expect([getCheckout().payment.state, countPurchases()]).toEqual(['done', 1])
  })

  test('buys if the same price was seen before the page was left', async () => {
    await reloadCheckout('unlimited', '?period=monthly')
    selectCheckoutMethod('m1')
    const stored = JSON.parse(sessionStorage.getItem('checkout') ?? '') as { quote: object }
    // The quote has expired in the meantime, so the page requests a new one.
    sessionStorage.setItem(
      'checkout',
      JSON.stringify({ ...stored, quote: { ...stored.quote, expires_at: Date.now() - 1 } }),
    )
    let pressed: Promise<void> | undefined
    const stop = $checkout.listen((now) => void (now?.price.state === 'asking' && (pressed ??= pressEarly())))
    await reloadCheckout('unlimited')
    await pressed
    stop()
    expect(countPurchases()).toBe(1)
  })

  test('buys nothing if the price has changed, and says so', async () => {
    await reloadShownPrice()
    answers['preview_purchase'] = okResponse(createQuote({ due: 1082 }))
    void loadQuote()
    await pressEarly()
    expect([getCheckout().payment, countPurchases()]).toMatchObject([
      {
        state: 'refused',
        why: 'price',
        text: expect.toSatisfy(statesNoCharge) as unknown,
      },
      0,
    ])
  })

  test('buys nothing if the price was not seen yet, and says so', async () => {
    await reloadCheckout('unlimited')
    selectCheckoutMethod('m1')
    choosePeriod('monthly')
    await pressEarly()
    expect([getCheckout().payment, countPurchases()]).toMatchObject([
      { state: 'refused', text: expect.toSatisfy(statesNoCharge) as unknown },
      0,
    ])
  })

  test('is withdrawn if another option is chosen', async () => {
    await reloadShownPrice()
    const pressed = pressEarly()
    choosePeriod('annual')
    choosePeriod('monthly')
    await pressed
    await vi.waitFor(() => expect(getCheckout().price.state).toBe('ready'), WAIT_OPTIONS)
    expect([getCheckout().payment.state, countPurchases()]).toEqual(['idle', 0])
  })

  test('leaves an unavailable price or a missing payment method to their own messages', async () => {
    await reloadShownPrice()
    answers['preview_purchase'] = { code: 503, msg: '' }
    void loadQuote()
    await pressEarly()
    expect([getCheckout().price.state, getCheckout().payment.state]).toEqual(['failed', 'idle'])
    answers['preview_purchase'] = okResponse(createQuote())
    sessionStorage.clear()
    await reloadCheckout('unlimited', '?period=monthly')
    expect(getCheckout().form.methodId).toBeNull()
    void loadQuote()
    await pressEarly()
    expect([getCheckout().price.state, getCheckout().payment.state, countPurchases()]).toEqual(['ready', 'idle', 0])
  })
})
