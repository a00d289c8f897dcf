import { atom, map } from 'nanostores'
import * as v from 'valibot'
import { type BillingProvider, DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import {
  type CouponChange,
  type CouponOption,
  couponRefusal,
  type CouponRefusal,
  applyCoupon,
  validateCoupon,
} from '../../../contract/billing/coupons.ts'
import { request } from '../../api/api-client.ts'
import { parseCoupon } from '../../domain/billing/coupon-code.ts'
import { reloadSubscriptions, runServiceChange } from './subscriptions.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { $routeParams, removeRouteParam, setRouteParam } from '../shell/route-params.ts'
import { removeCouponFromUrl, carryCoupon } from './carried-coupon.ts'
import { discardKeyIfFinal, getIdempotencyKey } from './idempotency-keys.ts'

/** Coupon redemption (COUPON-03); the misspelling `seletedOption` is required (OPEN-44). */
export interface RedeemState {
  readonly source: BillingProvider
  readonly redeemCode: string
  readonly options: readonly CouponOption[]
  readonly seletedOption: CouponOption | null
}

const EMPTY_REDEEM_STATE: RedeemState = {
  source: DEFAULT_REDEEM_SOURCE,
  redeemCode: '',
  options: [],
  seletedOption: null,
}

export const $redeem = map<RedeemState>(EMPTY_REDEEM_STATE)

export type RedemptionState =
  | { state: 'opening' }
  | { state: 'idle' }
  | { state: 'checking' }
  /** `until`: ms UTC, null for no expiry. */
  | { state: 'checked'; code: string; until: number | null }
  /** `at`: ms UTC. */
  | { state: 'refused'; failure: Failure; refusal: CouponRefusal | null; code: string; at: number }
  | {
      state: 'done'
      option: CouponOption
      changes: readonly CouponChange[]
      balance: number
      /** Subscription that the coupon created or changed; null if there is none. */
      subscriptionId: string | null
    }

export const $redemption = atom<RedemptionState>({ state: 'opening' })

/**
 * Error code for a coupon code that is invalid or does not exist. The page does not keep such a code for later pages.
 */
const INVALID_COUPON_ERROR_CODE = '4101'
const REDEEM_ACTION = 'redeem'

/**
 * Starts a redemption with the coupon code in the URL, otherwise with the code from an earlier page (STORE-03). The
 * code stays stored until it is used or removed. With `check` in the URL, checks the code of the URL: the user has
 * pressed Check on the services page.
 */
export function startRedemption(search: string): void {
  const urlCode = parseCoupon(search)
  if (urlCode) setRouteParam('coupon', urlCode)
  $redeem.set({ ...EMPTY_REDEEM_STATE, redeemCode: urlCode ?? $routeParams.get()['coupon'] ?? '' })
  $redemption.set({ state: 'idle' })
  if (urlCode && new URLSearchParams(search).has('check')) void checkCoupon()
}

/** Sets the typed coupon code, and discards the result of checking the previous code. */
export function setTypedCode(code: string): void {
  removeCouponFromUrl()
  $redeem.set({ ...EMPTY_REDEEM_STATE, redeemCode: code })
  $redemption.set({ state: 'idle' })
}

let latestCheck = 0

/** Checks a coupon code without redeeming it. Returns true if the account can redeem the code. */
export async function checkCoupon(): Promise<boolean> {
  const checkNumber = ++latestCheck
  removeCouponFromUrl()
  const { source, redeemCode } = $redeem.get()
  const code = redeemCode.trim()
  $redeem.set({ ...EMPTY_REDEEM_STATE, redeemCode })
  $redemption.set({ state: 'checking' })
  const response = await withFailureShown('toast', request(validateCoupon, { code, source }))
  if (checkNumber !== latestCheck) return false
  if (!response.ok) return showRejection(response, code)
  const { options, until } = response.data
  $redeem.set({ source, redeemCode, options, seletedOption: options.length === 1 ? (options[0] ?? null) : null })
  $redemption.set({ state: 'checked', code: response.data.code, until })
  return true
}

export const selectCouponOption = (option: CouponOption): void => $redeem.setKey('seletedOption', option)

export async function redeemSelectedCoupon(): Promise<Failure | null> {
  const { source, redeemCode, seletedOption: option } = $redeem.get()
  if (!option) return null
  const code = redeemCode.trim()
  const { option_id } = option
  const intent = getIdempotencyKey(REDEEM_ACTION, `${code} ${option_id}`)
  const response = await runServiceChange(() =>
    withFailureShown('toast', request(applyCoupon, { code, option_id, source, intent })),
  )
  discardKeyIfFinal(REDEEM_ACTION, response)
  if (!response.ok) {
    if (response.kind === 'ERR_BAD_REQUEST') showRejection(response, code)
    return response
  }
  clearCouponParam()
  const { changes, balance, subscription_id: subscriptionId } = response.data
  $redemption.set({ state: 'done', option, changes, balance, subscriptionId })
  void reloadSubscriptions()
  return null
}

function showRejection(failure: Failure, code: string): false {
  if (failure.code === INVALID_COUPON_ERROR_CODE) clearCouponParam()
  const refusal = v.safeParse(couponRefusal, failure.detail)
  $redemption.set({ state: 'refused', failure, refusal: refusal.success ? refusal.output : null, code, at: Date.now() })
  return false
}

/** Carries a discount coupon to the checkout, because discounts are used during a purchase. */
export const carryRedeemCode = (): void => carryCoupon($redeem.get().redeemCode.trim())

/** Removes the coupon code without using it. */
export function discardCoupon(): void {
  clearCouponParam()
  setTypedCode('')
}

const clearCouponParam = (): void => removeRouteParam('coupon')

export async function copyCode(code: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  )
  if (isCopied) showToast('success', 'Code copied.')
  else showToast('warning', 'We couldn’t copy the code. Select the code and copy it manually.')
}
