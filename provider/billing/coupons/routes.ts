import type { Hono } from 'hono'
import type { InferOutput } from 'valibot'
import { applyCoupon, validateCoupon } from '../../../contract/billing/coupons.ts'
import { badRequest } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import type { CouponUse } from '../ledger/ledger-calls.ts'
import { getLedgerStub, toApiError } from '../ledger/ledger-stub.ts'
import {
  findCoupon,
  holdCoupon,
  getCouponHolder,
  shouldReleaseHold,
  createCouponError,
  releaseCoupon,
} from './coupon-service.ts'
import { findCouponByCode, findHold } from './coupon-rows.ts'
import { type Coupon, findCouponRejection, type CouponBenefit, listUsableBenefits } from './coupon-rules.ts'

/** Mounts the calls about coupons (CALL-04, CALL-05). */
export function couponRoutes(app: Hono<AppEnv>): void {
  serveCall(app, validateCoupon, ({ env, account: { userId }, input, now }) =>
    previewCoupon(env, userId, input.code, now),
  )
  serveCall(app, applyCoupon, ({ env, account: { userId }, input, now }) => redeemCoupon(env, userId, input, now))
}

async function previewCoupon(env: Env, userId: string, code: string, now: number) {
  const coupon = await findCoupon(env, userId, code, now)
  const gifts = listUsableBenefits(coupon, await getCouponHolder(env, userId, coupon, now), now)
  if ('code' in gifts) throw createCouponError(gifts)
  const options = await Promise.all(gifts.map((gift) => previewOption(env, userId, coupon, gift, now)))
  return { code: coupon.code, until: coupon.until, options }
}

async function previewOption(env: Env, userId: string, coupon: Coupon, benefit: CouponBenefit, now: number) {
  const couponUse = toCouponUse(coupon, benefit)
  const changes = couponUse === null ? [] : await getLedgerStub(env, userId).previewCoupon(couponUse, now)
  return { ...benefit, changes: [...changes] }
}

type RedeemRequest = InferOutput<typeof applyCoupon.request>

/**
 * Uses a coupon: reserves it in D1 and redeems it in the account's ledger, whose outbox records the use in D1. If the
 * ledger already has the idempotency key, reserves nothing: the same body gets the same response, another body gets
 * 422.
 */
async function redeemCoupon(env: Env, userId: string, { code, option_id, intent }: RedeemRequest, now: number) {
  const ledger = getLedgerStub(env, userId)
  const isRepeated = await ledger.hasIntent(intent, now)
  const { coupon, gift } = await resolveChoice(env, userId, { code, option_id, intent, isRepeated }, now)
  const couponUse = toCouponUse(coupon, gift)
  if (couponUse === null) throw badRequest('Apply this coupon when you buy a plan.')
  if (!isRepeated && !(await holdCoupon(env, code, userId, intent, now)))
    throw createCouponError({ code: 4101, why: null })
  const result = await ledger.useCoupon(intent, couponUse, now)
  if (result.state === 'refused') {
    if (shouldReleaseHold(result)) await releaseCoupon(env, code, userId, intent)
    throw toApiError(result)
  }
  const { subscription_id, balance, changes } = result
  return { kind: gift.kind, subscription_id, balance, changes: [...changes] }
}

interface CouponChoice extends Pick<RedeemRequest, 'code' | 'option_id' | 'intent'> {
  readonly isRepeated: boolean
}

/**
 * Returns the coupon and benefit to use. Skips the coupon rules if the ledger already has the idempotency key. The
 * limits of coupon guesses apply to a code that the account does not hold, even if the idempotency key is repeated.
 */
async function resolveChoice(
  env: Env,
  userId: string,
  { code, option_id, intent, isRepeated }: CouponChoice,
  now: number,
) {
  const wasHeldBefore = isRepeated && (await findHold(env.DB, code, userId)) !== null
  const coupon =
    (wasHeldBefore ? await findCouponByCode(env.DB, code) : null) ?? (await findCoupon(env, userId, code, now))
  const benefit = coupon.gifts.find((option) => option.option_id === option_id)
  if (!benefit) throw badRequest('This coupon doesn’t have that option.')
  const rejection = isRepeated
    ? null
    : findCouponRejection(coupon, benefit, await getCouponHolder(env, userId, coupon, now), now)
  // A concurrent request with the same key may have succeeded meanwhile. The result of that request then counts.
  if (rejection && !(await getLedgerStub(env, userId).hasIntent(intent, now))) throw createCouponError(rejection)
  return { coupon, gift: benefit }
}

function toCouponUse({ code }: Coupon, { kind, sku, value }: CouponBenefit): CouponUse | null {
  if (kind === 'percent' || kind === 'amount' || sku === 'free') return null
  return { code, kind, sku, value }
}
