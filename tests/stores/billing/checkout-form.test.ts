import { beforeEach, describe, expect, test, vi } from 'vitest'
import { $subscriptions, reloadSubscriptions } from '../../../src/stores/billing/subscriptions.ts'
import {
  $checkout,
  $earlyChoice,
  chooseCameras,
  choosePeriod,
  choosePro,
  chooseQuantity,
  chooseTrial,
  finishTypingQuantity,
  openCheckout,
  onSubscriptionsLoaded,
  typeQuantity,
} from '../../../src/stores/billing/checkout.ts'
import { carryCouponFromUrl } from '../../../src/stores/billing/carried-coupon.ts'
import { startRedemption, checkCoupon, carryRedeemCode } from '../../../src/stores/billing/coupon-redemption.ts'
import { getCheckout, openNewTab, okResponse, createQuote, reloadCheckout } from '../../support/checkout.ts'
import { stubApiResponses, type SentRequest } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const waitForPrice = () => vi.waitFor(() => expect(getCheckout().price.state).not.toBe('asking'), WAIT_OPTIONS)

beforeEach(() => {
  requests = openNewTab(answers)
  history.replaceState(null, '', '/account/products/camera-ai')
})

describe('selected cameras', () => {
  const selectedIds = ['aa', 'bb', 'cc']
  beforeEach(async () => {
    await reloadCheckout('camera-ai', '?period=monthly')
    chooseQuantity(3)
    chooseCameras(selectedIds)
  })

  test('stay selected while a quantity is typed, and its price is still requested', async () => {
    for (const typed of [NaN, 1, 10]) {
      typeQuantity(typed)
      expect(getCheckout().form.cameras).toEqual(selectedIds)
    }
    finishTypingQuantity(0)
    await waitForPrice()
    expect(getCheckout().form).toMatchObject({ quantity: 10, cameras: selectedIds })
    expect(requests.at(-1)?.body).toMatchObject({ quantity: 10 })
  })

  test('are reduced to the quantity once it is confirmed', async () => {
    typeQuantity(2)
    await waitForPrice()
    finishTypingQuantity(0)
    expect(getCheckout().form.cameras).toEqual(['aa', 'bb'])
    expect(JSON.parse(sessionStorage.getItem('checkout') ?? '')).toMatchObject({ form: { cameras: ['aa', 'bb'] } })
    finishTypingQuantity(1)
    expect(getCheckout().form.cameras).toEqual(['aa'])
  })
})

test.each([
  ['2', 2],
  ['99', 99],
  ['0', 1],
  ['100', 1],
  ['1.5', 1],
  ['x', 1],
])('a URL that names %s cameras opens the form with %i', async (cameras, quantity) => {
  await reloadCheckout('camera-ai', `?period=annual&plan=cam-ai&cameras=${cameras}`)
  expect(getCheckout().form).toMatchObject({ sku: 'cam-ai', period: 'annual', quantity })
})

describe('the free trial', () => {
  const chooseFreeTrial = async () => {
    answers['preview_purchase'] = okResponse(createQuote({ sku: 'cam-ai', is_trial: true, due: 0 }))
    await reloadCheckout('camera-ai')
    chooseTrial()
    await waitForPrice()
  }

  test('is still selected after a reload', async () => {
    await chooseFreeTrial()
    await reloadCheckout('camera-ai')
    expect(getCheckout().form.trial).toBe(true)
  })

  test('is not selected if the URL names a period', async () => {
    await chooseFreeTrial()
    await reloadCheckout('camera-ai', '?period=annual')
    expect(getCheckout().form).toMatchObject({ trial: false, period: 'annual' })
    expect(requests.at(-1)?.body).not.toHaveProperty('trial')
  })
})

describe('a checkout page that could not be opened', () => {
  const search = '?period=annual'

  test('is opened once another part of the page has loaded the account’s subscriptions', async () => {
    answers['user_1'] = { code: 502, msg: '' }
    $subscriptions.set({
      state: 'failed',
      failure: { ok: false, code: '502', msg: '', kind: 'ERR_BAD_RESPONSE', status: 502 },
    })
    expect(await openCheckout('camera-ai', search)).toBe(false)
    const stop = onSubscriptionsLoaded(() => void openCheckout('camera-ai', search))
    answers['user_1'] = okResponse({ subscriptions: [] })
    await reloadSubscriptions()
    await waitForPrice()
    stop()
    expect(getCheckout()).toMatchObject({ form: { period: 'annual' }, price: { state: 'ready' } })
  })

  test('is not opened a second time while it is already opening', async () => {
    const again = vi.fn()
    const stop = onSubscriptionsLoaded(again)
    await Promise.all([reloadSubscriptions(), openCheckout('camera-ai', search)])
    stop()
    expect(again).not.toHaveBeenCalled()
  })
})

describe('a choice before the checkout opens', () => {
  beforeEach(() => choosePeriod('monthly'))

  test('takes precedence over the URL and the last choice, and is applied once', async () => {
    await reloadCheckout('unlimited', '?period=annual')
    await waitForPrice()
    expect(getCheckout().form.period).toBe('monthly')
    expect(requests.at(-1)?.body).toMatchObject({ mode: 'monthly' })
    choosePeriod('annual')
    await waitForPrice()
    await reloadCheckout('unlimited')
    expect(getCheckout().form.period).toBe('annual')
  })

  test('adds Pro, and replaces a trial and its price', async () => {
    choosePro(true)
    await reloadCheckout('unlimited')
    await waitForPrice()
    expect(getCheckout().form).toMatchObject({ sku: 'pro', period: 'monthly' })
    expect(requests.at(-1)?.body).toMatchObject({ sku: 'pro', mode: 'monthly' })
    await reloadCheckout('camera-ai')
    chooseTrial()
    await waitForPrice()
    $checkout.set(null)
    choosePeriod('annual')
    await reloadCheckout('camera-ai')
    await waitForPrice()
    expect(getCheckout().form).toMatchObject({ trial: false, period: 'annual' })
    expect(requests.at(-1)?.body).not.toHaveProperty('trial')
  })

  test('waits while the subscriptions cannot be loaded', async () => {
    answers['user_1'] = { code: 502, msg: '' }
    await reloadCheckout('unlimited', '?period=annual')
    expect($earlyChoice.get()).toMatchObject({ period: 'monthly' })
    answers['user_1'] = okResponse({ subscriptions: [] })
    await reloadCheckout('unlimited', '?period=annual')
    expect(getCheckout().form.period).toBe('monthly')
  })

  test('does not change a sent purchase', async () => {
    await reloadCheckout('unlimited')
    await waitForPrice()
    const stored = JSON.parse(sessionStorage.getItem('checkout') ?? '') as object
    sessionStorage.setItem('checkout', JSON.stringify({ ...stored, isSent: true }))
    $checkout.set(null)
    choosePeriod('annual')
    expect($earlyChoice.get()).toEqual({})
  })
})

describe('a coupon in the checkout', () => {
  test('comes from the coupon page once and appears in no URL', async () => {
    startRedemption('?coupon=WELCOME20')
    carryRedeemCode()
    await reloadCheckout('camera-ai')
    expect(getCheckout().form.coupon).toBe('WELCOME20')
    sessionStorage.removeItem('checkout')
    await reloadCheckout('camera-ai')
    expect(getCheckout().form.coupon).toBe('')
  })

  test('in the URL of a plan is carried along and removed from the URL', async () => {
    history.replaceState(null, '', '/account/products/choose?coupon=WELCOME20&period=annual')
    carryCouponFromUrl()
    expect(location.search).toBe('?period=annual')
    await reloadCheckout('camera-ai')
    expect(getCheckout().form.coupon).toBe('WELCOME20')
  })

  test('is removed from the URL of its own page with the first action on it', async () => {
    history.replaceState(null, '', '/account/redeem/choose?coupon=WELCOME20')
    startRedemption(location.search)
    expect(location.search).toBe('?coupon=WELCOME20')
    stubApiResponses({ redeem_v2: { code: 4102 } })
    await checkCoupon()
    expect(location.search).toBe('')
  })
})

test('a checkout page that cannot be opened reports it, and the same URL opens it later', async () => {
  answers['user_1'] = { code: 500 }
  $subscriptions.set({ state: 'loading' })
  await reloadSubscriptions()
  expect(await openCheckout('camera-ai', '?period=annual')).toBe(false)
  answers['user_1'] = okResponse({ subscriptions: [] })
  expect(await openCheckout('camera-ai', '?period=annual')).toBe(true)
  expect(getCheckout().form.period).toBe('annual')
})
