import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CouponOption } from '../../../contract/billing/coupons.ts'
import {
  $redeem,
  $redemption,
  startRedemption,
  checkCoupon,
  discardCoupon,
  selectCouponOption,
  redeemSelectedCoupon,
} from '../../../src/stores/billing/coupon-redemption.ts'
import { $serviceUpdateStatus } from '../../../src/stores/billing/subscriptions.ts'
import { $routeParams } from '../../../src/stores/shell/route-params.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'

const createOption = (option_id: string): CouponOption => ({
  option_id,
  kind: 'credit',
  sku: null,
  value: 2000,
  changes: [],
})
const twoOptionsResponse = {
  code: 200,
  data: { code: 'PORCH-GIFT', until: 1_800_000_000_000, options: [createOption('a'), createOption('b')] },
}
const redeemedResponse = { code: 200, data: { kind: 'credit', subscription_id: null, balance: 2000, changes: [] } }
const coupon = () => $routeParams.get()['coupon']

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  $routeParams.set({})
  while ($toast.get()) closeToast()
  startRedemption('?coupon=PORCH-GIFT')
})

test('COUPON-03 a redemption has a source (recurring provider by default), a code, options and the selected option', () => {
  startRedemption('')
  $routeParams.set({})
  startRedemption('')
  expect($redeem.get()).toEqual({ source: 'recurring', redeemCode: '', options: [], seletedOption: null })
})

describe('a coupon', () => {
  test('comes from the URL or from an earlier visit', () => {
    expect([$redeem.get().redeemCode, coupon()]).toEqual(['PORCH-GIFT', 'PORCH-GIFT'])
    startRedemption('')
    expect($redeem.get().redeemCode).toBe('PORCH-GIFT')
  })

  test('is checked, and no option is selected while there is more than one', async () => {
    const requests = stubApiResponses({ redeem_v2: twoOptionsResponse })
    expect(await checkCoupon()).toBe(true)
    expect(requests[0]?.body).toEqual({ code: 'PORCH-GIFT', source: 'recurring' })
    expect($redeem.get()).toMatchObject({ options: twoOptionsResponse.data.options, seletedOption: null })
    expect($redemption.get()).toMatchObject({ state: 'checked', until: 1_800_000_000_000 })
  })

  test('is checked on arrival only if the user asked for the check on the services page', async () => {
    const requests = stubApiResponses({ redeem_v2: twoOptionsResponse })
    startRedemption('?check=1')
    startRedemption('?coupon=PORCH-GIFT')
    expect([requests.length, $redemption.get().state]).toEqual([0, 'idle'])
    startRedemption('?coupon=PORCH-GIFT&check=1')
    await vi.waitFor(() => expect($redemption.get()).toMatchObject({ state: 'checked', code: 'PORCH-GIFT' }))
    expect(requests).toHaveLength(1)
  })

  test('with one option needs no selection', async () => {
    stubApiResponses({ redeem_v2: { code: 200, data: { ...twoOptionsResponse.data, options: [createOption('a')] } } })
    await checkCoupon()
    expect($redeem.get().seletedOption).toEqual(createOption('a'))
  })

  test('is redeemed for the selected option with one idempotency key, and then cleared', async () => {
    const requests = stubApiResponses({ redeem_v2: twoOptionsResponse, process_redeem: null })
    await checkCoupon()
    selectCouponOption(createOption('b'))
    expect(await redeemSelectedCoupon()).toMatchObject({ status: 0 })
    expect($redeem.get().seletedOption).toEqual(createOption('b'))
    expect(coupon()).toBe('PORCH-GIFT')
    const first = requests[1]?.body as { intent: string }
    expect(first).toMatchObject({ code: 'PORCH-GIFT', option_id: 'b', source: 'recurring' })
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('PORCH-GIFT')
    const again = stubApiResponses({
      process_redeem: redeemedResponse,
      user_1: { code: 200, data: { subscriptions: [] } },
    })
    const done = redeemSelectedCoupon()
    expect($serviceUpdateStatus.get()).toBe(false)
    expect(await done).toBeNull()
    expect($serviceUpdateStatus.get()).toBe(true)
    expect((again[0]?.body as { intent: string }).intent).toBe(first.intent)
    expect($redemption.get()).toMatchObject({ state: 'done', balance: 2000 })
    expect(coupon()).toBeUndefined()
  })

  test.each([500, 503, 429])(
    'is retried with the same idempotency key after a %s and stays available',
    async (code) => {
      stubApiResponses({ redeem_v2: twoOptionsResponse })
      await checkCoupon()
      selectCouponOption(createOption('a'))
      const first = stubApiResponses({ process_redeem: { code } })
      expect(await redeemSelectedCoupon()).not.toBeNull()
      expect($redemption.get().state).toBe(code === 429 ? 'refused' : 'checked')
      const again = stubApiResponses({
        process_redeem: redeemedResponse,
        user_1: { code: 200, data: { subscriptions: [] } },
      })
      await redeemSelectedCoupon()
      expect((again[0]?.body as { intent: string }).intent).toBe((first[0]?.body as { intent: string }).intent)
    },
  )

  test.each(['4101', '4102', '4103', '4104', '4105', '4106', '4107', '429'])(
    'OPEN-157 that is rejected with %s is reported, and cleared only if it does not exist',
    async (code) => {
      const data = { reason: 'has_plan', sku: 'unlimited', since: 1, until: null }
      stubApiResponses({ redeem_v2: { code: Number(code), data } })
      expect(await checkCoupon()).toBe(false)
      expect($redemption.get()).toMatchObject({ state: 'refused', failure: { code }, refusal: data })
      expect($toast.get()).not.toBeNull()
      expect(coupon()).toBe(code === '4101' ? undefined : 'PORCH-GIFT')
    },
  )

  test('OPEN-157 is cleared when the user leaves, and by every page outside the redemption', async () => {
    discardCoupon()
    expect([coupon(), $redeem.get().redeemCode]).toEqual([undefined, ''])
    for (const [path, left] of [
      ['/account/products/unlimited', 'PORCH-GIFT'],
      ['/shop/payment/method', 'PORCH-GIFT'],
      ['/live', undefined],
    ] as const) {
      startRedemption('?coupon=PORCH-GIFT')
      history.replaceState(null, '', path)
      vi.resetModules()
      const { clearCarriedCoupon } = await import('../../../src/boot/account/clear-carried-coupon.ts')
      clearCarriedCoupon()
      const { coupon } = JSON.parse(localStorage.getItem('routeParams') ?? '{}') as { coupon?: string }
      expect([path, coupon]).toEqual([path, left])
    }
  })

  test('OPEN-157 stays when the session has ended', async () => {
    stubApiResponses({ redeem_v2: { code: 401 } })
    await checkCoupon()
    expect([coupon(), $toast.get()]).toEqual(['PORCH-GIFT', null])
  })
})
