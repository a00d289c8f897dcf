import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Quote } from '../../../../contract/billing/purchase.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { PhoneCheckoutBar, WaitingPhoneBar } from '../../../../src/islands/plan/parts/PhoneCheckoutBar.tsx'
import { $allSubs, reloadSubscriptions } from '../../../../src/stores/billing/subscriptions.ts'
import { carryCoupon, carryCouponFromUrl } from '../../../../src/stores/billing/carried-coupon.ts'
import { setPlanInCarts, setQuantityInCarts } from '../../../../src/stores/billing/carts.ts'
import { $checkout, $earlyChoice, openCheckout, submitPurchase } from '../../../../src/stores/billing/checkout.ts'
import {
  CAMERA_SUBSCRIPTION,
  COMPLETED_PURCHASE,
  createQuote,
  getCheckout,
  okResponse,
  openNewTab,
} from '../../../support/checkout.ts'
import type { SentRequest } from '../../../support/client.ts'
import { openDocument, recordNetwork, type Visit } from '../../../support/early-price.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const listPreviews = () => requests.filter(({ path }) => path.endsWith('preview_purchase')).map(({ body }) => body)

beforeEach(() => {
  localStorage.clear()
  requests = openNewTab(answers)
  localStorage.setItem('web_app_token', '1.handle')
  $allSubs.set([])
  $earlyChoice.set({})
})
afterEach(() => {
  delete window.early
  history.replaceState(null, '', '/')
})

/** Opens the page's checkout without a response from the document. Returns the price requests of the store. */
async function openWithoutDocument(subscriptions: Subscription[], { segment = 'camera-ai', search = '' }: Visit) {
  delete window.early
  answers['user_1'] = okResponse({ subscriptions })
  await reloadSubscriptions()
  history.replaceState(null, '', `/account/products/${segment}${search}`)
  carryCouponFromUrl()
  await openCheckout(segment, search)
  return listPreviews()
}

describe('the document requests the price', () => {
  const cases: [string, Visit, () => Subscription[]][] = [
    ['the period of the URL', { search: '?period=annual' }, () => []],
    ['the cameras of the URL', { search: '?period=monthly&cameras=3' }, () => []],
    ['a number of cameras that nobody can buy', { search: '?period=monthly&cameras=100' }, () => []],
    ['the option of the URL', { segment: 'unlimited', search: '?period=annual&plan=pro' }, () => []],
    ['no period', {}, () => []],
    ['a period that does not exist', { search: '?period=weekly' }, () => []],
    ['home monitoring', { segment: 'home-monitoring', search: '?period=monthly' }, () => []],
    ['the coupon of the URL', { search: '?period=annual&coupon=SAVE-20' }, () => []],
    ['a malformed coupon', { search: '?period=annual&coupon=a%20b' }, () => []],
    ['a coupon of an earlier page', { search: '?period=annual' }, () => (carryCoupon('12345'), [])],
    [
      'the cart',
      {},
      () => {
        setPlanInCarts('checkout', 'cam-ai', 'annual')
        setQuantityInCarts('checkout', 4)
        return []
      },
    ],
    ['the cart of another page', {}, () => (setPlanInCarts('checkout', 'unlimited', 'annual'), [])],
    ['more cameras', { search: '?period=monthly&cameras=5' }, () => [CAMERA_SUBSCRIPTION]],
    ['the same plan', { search: '?period=monthly' }, () => [CAMERA_SUBSCRIPTION]],
    ['a plan that ends its trial', { search: '?period=monthly' }, () => [{ ...CAMERA_SUBSCRIPTION, status: 'trial' }]],
    [
      'a plan with a scheduled change',
      { search: '?period=monthly' },
      () => [{ ...CAMERA_SUBSCRIPTION, scheduled: { sku: 'cam-ai', period: 'annual', quantity: 3, from: 1 } as never }],
    ],
    ['another plan', { segment: 'unlimited', search: '?period=annual' }, () => [CAMERA_SUBSCRIPTION]],
    ['a plan of another channel', { search: '?period=annual' }, () => [{ ...CAMERA_SUBSCRIPTION, channel: 'amazon' }]],
    ['a plan that ended', { search: '?period=annual' }, () => [{ ...CAMERA_SUBSCRIPTION, running: false }]],
  ]
  test.each(cases)('that the page would request for %s', async (_, visit, prepare) => {
    const subscriptions = prepare()
    $allSubs.set(subscriptions)
    const early = await openDocument(createQuote(), visit)
    expect(early).toEqual(await openWithoutDocument(subscriptions, visit))
  })

  test('only for a signed-in user who pays in no other tab, and not with the data of another account', async () => {
    const visit = { search: '?period=annual' }
    expect(await openDocument(createQuote(), visit)).toHaveLength(1)
    expect(await openDocument(createQuote(), { ...visit, cookie: '' })).toEqual([])
    localStorage.removeItem('web_app_token')
    expect(await openDocument(createQuote(), visit)).toEqual([])
    localStorage.setItem('web_app_token', '1.handle')
    await openWithoutDocument([], visit)
    expect(await openDocument(createQuote(), visit)).toEqual([])
  })
})

describe('the page with the document’s price', () => {
  const visit = { search: '?period=monthly', segment: 'unlimited' }
  const openWithDocument = async (quote: Quote | null) => {
    await openDocument(quote, visit)
    network = recordNetwork(answers, requests)
    await reloadSubscriptions()
    await openCheckout(visit.segment, visit.search)
  }
  let network: readonly string[] = []

  test('opens with it, charges exactly this quote, and uses it once', async () => {
    const states: unknown[] = []
    const stop = $checkout.listen((checkout) => void queueMicrotask(() => states.push(checkout?.price.state)))
    answers['create'] = COMPLETED_PURCHASE
    await openWithDocument(createQuote({ quote: 'of the document', due: 1081 }))
    await Promise.resolve()
    stop()
    expect(new Set(states)).toContain('ready')
    expect(getCheckout().price).toMatchObject({ state: 'ready', quote: { quote: 'of the document' } })
    expect(network).toEqual(['user_1'])
    await submitPurchase()
    expect(requests.find(({ path }) => path.endsWith('/create'))?.body).toMatchObject({ quote: 'of the document' })
    expect(window.early?.some(({ url }) => url.endsWith('preview_purchase'))).toBe(false)
  })

  test('requests another price if the user chose something else before', async () => {
    $earlyChoice.set({ period: 'annual' })
    answers['preview_purchase'] = okResponse(createQuote({ quote: 'of the page' }))
    await openWithDocument(createQuote({ quote: 'of the document' }))
    expect(getCheckout()).toMatchObject({ form: { period: 'annual' }, price: { quote: { quote: 'of the page' } } })
  })

  test('shows a rejection of the document’s request without repeating the request', async () => {
    await openWithDocument(null)
    expect(getCheckout().price.state).toBe('failed')
    expect(network).toEqual(['user_1'])
  })
})

describe('the bar of phones', () => {
  const visit = { search: '?period=monthly', methods: [{ state: 'good', is_default: true }] }
  const readBar = (bar: Element | null) => ({
    texts: [...(bar?.querySelectorAll('button > *, .pay-button') ?? [])].map((element) => element.textContent),
    classes: [...(bar?.querySelectorAll('*') ?? [])].map((element) => element.getAttribute('class') ?? ''),
  })
  const findEarlyBar = () => document.querySelector<HTMLElement>('.phone-bar[data-early]')!

  beforeEach(() => {
    const bars = renderToStaticMarkup(<WaitingPhoneBar />)
    document.body.innerHTML = `<div class="plan-page"><div id="plan-period"></div><label class="choice"><input type="radio"></label>${bars}</div>`
  })

  const quotes: [string, Partial<Quote>, readonly object[]][] = [
    ['a price', {}, visit.methods],
    ['a high price', { due: 1_234_567 }, visit.methods],
    ['a price without a card', {}, [{ state: 'ended', is_default: true }]],
    ['a trial', { due: 0, tax: 0, is_trial: true }, []],
    ['a later change', { due: 0, tax: 0, is_later: true }, []],
    ['nothing due', { due: 0, balance_added: 250 }, []],
    ['a credit', { lines: [{ ...createQuote().lines[0]!, amount: -333 }] }, visit.methods],
  ]
  test.each(quotes)('shows %s with the elements and texts of the page', async (_, change, methods) => {
    const quote = createQuote(change)
    await openDocument(quote, { ...visit, methods })
    const early = readBar(findEarlyBar())
    expect(findEarlyBar().hidden).toBe(false)
    expect(document.querySelector<HTMLElement>('.phone-bar-waiting')?.hidden).toBe(true)
    const hasMethod = methods.some((method) => (method as { state: string }).state === 'good')
    await openWithoutDocument([], visit)
    const form = { ...getCheckout().form, methodId: hasMethod ? 'm1' : null }
    $checkout.set({ ...getCheckout(), form, price: { state: 'ready', quote, changed: [] } })
    document.body.innerHTML = '<div id="root"></div>'
    const root = createRoot(document.getElementById('root')!)
    await act(async () => root.render(<PhoneCheckoutBar checkout={getCheckout()} />))
    expect(early).toEqual(readBar(document.querySelector('.phone-bar')))
    act(() => root.unmount())
  })

  test('shows no price of a choice that the user has changed', async () => {
    await openDocument(createQuote(), visit)
    const choice = document.querySelector<HTMLInputElement>('input')!
    choice.click()
    expect(findEarlyBar().hidden).toBe(true)
    await openDocument(createQuote(), visit)
    expect(findEarlyBar().hidden).toBe(true)
  })

  test.each([
    ['a user', { code: 200, user_id: 'u', user_account: 'u@example.com', web_app_token: '1' }, true],
    ['no user', { code: 401 }, false],
  ])('shows the page if the portal returns %s', async (_, me, isShown) => {
    document.body.innerHTML = `<div id="loading"></div><div id="content" hidden>${document.body.innerHTML}</div>`
    await openDocument(createQuote(), { ...visit, me })
    expect(document.getElementById('content')?.hidden).toBe(!isShown)
    expect(document.getElementById('loading') === null).toBe(isShown)
  })

  test('remembers a press and sends nothing', async () => {
    Element.prototype.scrollIntoView = () => undefined
    await openDocument(createQuote(), visit)
    findEarlyBar().querySelector<HTMLElement>('.pay-button')!.click()
    expect(document.querySelectorAll('.pay-button[data-pressed][aria-disabled]')).toHaveLength(1)
    expect(requests).toEqual([])
  })
})
