import type { Hono } from 'hono'
import type { InferOutput } from 'valibot'
import { processRedeem, redeem } from '../../../contract/billing/coupons.ts'
import { badRequest } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import type { CouponUse } from '../ledger/ledger-calls.ts'
import { ledgerStub, toApiError } from '../ledger/ledger-stub.ts'
import {
  findCoupon,
  holdCoupon,
  getCouponHolder,
  shouldReleaseHold,
  refusalFor,
  releaseCoupon,
} from './coupon-service.ts'
import { findCouponByCode, findHold } from './coupon-rows.ts'
import { type Coupon, couponRefused, type CouponBenefit, giftsFor } from './coupon-rules.ts'

/** Mounts the calls about coupons (CALL-04, CALL-05). */
export function redeemRoutes(app: Hono<AppEnv>): void {
  serveCall(app, redeem, ({ env, account: { userId }, input, now }) => previewCoupon(env, userId, input.code, now))
  serveCall(app, processRedeem, ({ env, account: { userId }, input, now }) => use(env, userId, input, now))
}

async function previewCoupon(env: Env, userId: string, code: string, now: number) {
  const coupon = await findCoupon(env, userId, code, now)
  const gifts = giftsFor(coupon, await getCouponHolder(env, userId, coupon, now), now)
  if ('code' in gifts) throw refusalFor(gifts)
  const options = await Promise.all(gifts.map((gift) => previewOption(env, userId, coupon, gift, now)))
  return { code: coupon.code, until: coupon.until, options }
}

async function previewOption(env: Env, userId: string, coupon: Coupon, gift: CouponBenefit, now: number) {
  const ask = toCouponUse(coupon, gift)
  const changes = ask === null ? [] : await ledgerStub(env, userId).previewCoupon(ask, now)
  return { ...gift, changes: [...changes] }
}

type RedeemRequest = InferOutput<typeof processRedeem.request>

/**
 * Uses a coupon: reserves it in D1, then redeems it in the account's ledger, whose outbox records the use in D1. For a
 * known idempotency key, the same body gets the same response and another body gets 422; neither reserves the coupon
 * again.
 */
async function use(env: Env, userId: string, { code, option_id, intent }: RedeemRequest, now: number) {
  const ledger = ledgerStub(env, userId)
  const isAgain = await ledger.knows(intent, now)
  const { coupon, gift } = await chosen(env, userId, { code, option_id, intent, isAgain }, now)
  const ask = toCouponUse(coupon, gift)
  if (ask === null) throw badRequest('This coupon is used on the page of a plan.')
  if (!isAgain && !(await holdCoupon(env, code, userId, intent, now))) throw refusalFor({ code: 4101, why: null })
  const answer = await ledger.useCoupon(intent, ask, now)
  if (answer.state === 'refused') {
    if (shouldReleaseHold(answer)) await releaseCoupon(env, code, userId, intent)
    throw toApiError(answer)
  }
  const { subscription_id, balance, changes } = answer
  return { kind: gift.kind, subscription_id, balance, changes: [...changes] }
}

interface Choice extends Pick<RedeemRequest, 'code' | 'option_id' | 'intent'> {
  readonly isAgain: boolean
}

/**
 * Returns the coupon and benefit to use. Skips the coupon rules if the ledger knows the idempotency key. A code that
 * the account never held counts as a guess, even with a known key.
 */
async function chosen(env: Env, userId: string, { code, option_id, intent, isAgain }: Choice, now: number) {
  const isTheirs = isAgain && (await findHold(env.DB, code, userId)) !== null
  const coupon = (isTheirs ? await findCouponByCode(env.DB, code) : null) ?? (await findCoupon(env, userId, code, now))
  const gift = coupon.gifts.find((option) => option.option_id === option_id)
  if (!gift) throw badRequest('The coupon has no such option.')
  const refusal = isAgain ? null : couponRefused(coupon, gift, await getCouponHolder(env, userId, coupon, now), now)
  // The same key may have been answered in the meantime.
  if (refusal && !(await ledgerStub(env, userId).knows(intent, now))) throw refusalFor(refusal)
  return { coupon, gift }
}

/** Returns the ledger's coupon request; null for a discount on a price. */
function toCouponUse({ code }: Coupon, { kind, sku, value }: CouponBenefit): CouponUse | null {
  if (kind === 'percent' || kind === 'amount' || sku === 'free') return null
  return { code, kind, sku, value }
}
