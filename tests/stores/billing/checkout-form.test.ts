import { beforeEach, describe, expect, test, vi } from 'vitest'
import { $subscriptions, reloadSubscriptions } from '../../../src/stores/billing/subscriptions.ts'
import {
  chooseCameras,
  chooseQuantity,
  chooseTrial,
  endQuantity,
  openCheckout,
  openOnceKnown,
  typeQuantity,
} from '../../../src/stores/billing/checkout.ts'
import { carryCouponFromUrl } from '../../../src/stores/billing/carried-coupon.ts'
import { startRedemption, checkCoupon, carryRedeemCode } from '../../../src/stores/billing/coupon-redemption.ts'
import { checkout, newTab, ok, quote, reload } from '../../support/checkout.ts'
import { answerWith, type SentRequest } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const answers: Record<string, unknown> = {}
let requests: SentRequest[]
const settled = () => vi.waitFor(() => expect(checkout().price.state).not.toBe('asking'), patience)

beforeEach(() => {
  requests = newTab(answers)
  history.replaceState(null, '', '/account/products/camera-ai')
})

describe('selected cameras', () => {
  const ticked = ['aa', 'bb', 'cc']
  beforeEach(async () => {
    await reload('camera-ai', '?period=monthly')
    chooseQuantity(3)
    chooseCameras(ticked)
  })

  test('stay selected while a quantity is typed, and its price is still requested', async () => {
    for (const typed of [NaN, 1, 10]) {
      typeQuantity(typed)
      expect(checkout().form.cameras).toEqual(ticked)
    }
    endQuantity(0)
    await settled()
    expect(checkout().form).toMatchObject({ quantity: 10, cameras: ticked })
    expect(requests.at(-1)?.body).toMatchObject({ quantity: 10 })
  })

  test('are reduced to the quantity once it is confirmed', async () => {
    typeQuantity(2)
    await settled()
    endQuantity(0)
    expect(checkout().form.cameras).toEqual(['aa', 'bb'])
    expect(JSON.parse(sessionStorage.getItem('checkout') ?? '')).toMatchObject({ form: { cameras: ['aa', 'bb'] } })
    endQuantity(1)
    expect(checkout().form.cameras).toEqual(['aa'])
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
  await reload('camera-ai', `?period=annual&plan=cam-ai&cameras=${cameras}`)
  expect(checkout().form).toMatchObject({ sku: 'cam-ai', period: 'annual', quantity })
})

describe('the free trial', () => {
  const chosen = async () => {
    answers['preview_purchase'] = ok(quote({ sku: 'cam-ai', is_trial: true, due: 0 }))
    await reload('camera-ai')
    chooseTrial()
    await settled()
  }

  test('is still selected after a reload', async () => {
    await chosen()
    await reload('camera-ai')
    expect(checkout().form.trial).toBe(true)
  })

  test('is not selected if the URL names a period', async () => {
    await chosen()
    await reload('camera-ai', '?period=annual')
    expect(checkout().form).toMatchObject({ trial: false, period: 'annual' })
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
    const stop = openOnceKnown(() => void openCheckout('camera-ai', search))
    answers['user_1'] = ok({ subscriptions: [] })
    await reloadSubscriptions()
    await settled()
    stop()
    expect(checkout()).toMatchObject({ form: { period: 'annual' }, price: { state: 'ready' } })
  })

  test('is not opened a second time while it is already opening', async () => {
    const again = vi.fn()
    const stop = openOnceKnown(again)
    await Promise.all([reloadSubscriptions(), openCheckout('camera-ai', search)])
    stop()
    expect(again).not.toHaveBeenCalled()
  })
})

describe('a coupon in the checkout', () => {
  test('comes from the coupon page once and appears in no URL', async () => {
    startRedemption('?coupon=WELCOME20')
    carryRedeemCode()
    await reload('camera-ai')
    expect(checkout().form.coupon).toBe('WELCOME20')
    sessionStorage.removeItem('checkout')
    await reload('camera-ai')
    expect(checkout().form.coupon).toBe('')
  })

  test('in the URL of a plan is carried along and removed from the URL', async () => {
    history.replaceState(null, '', '/account/products/choose?coupon=WELCOME20&period=annual')
    carryCouponFromUrl()
    expect(location.search).toBe('?period=annual')
    await reload('camera-ai')
    expect(checkout().form.coupon).toBe('WELCOME20')
  })

  test('is removed from the URL of its own page with the first action on it', async () => {
    history.replaceState(null, '', '/account/redeem/choose?coupon=WELCOME20')
    startRedemption(location.search)
    expect(location.search).toBe('?coupon=WELCOME20')
    answerWith({ redeem_v2: { code: 4102 } })
    await checkCoupon()
    expect(location.search).toBe('')
  })
})

test('a checkout page that cannot be opened reports it, and the same URL opens it later', async () => {
  answers['user_1'] = { code: 500 }
  $subscriptions.set({ state: 'loading' })
  await reloadSubscriptions()
  expect(await openCheckout('camera-ai', '?period=annual')).toBe(false)
  answers['user_1'] = ok({ subscriptions: [] })
  expect(await openCheckout('camera-ai', '?period=annual')).toBe(true)
  expect(checkout().form.period).toBe('annual')
})
