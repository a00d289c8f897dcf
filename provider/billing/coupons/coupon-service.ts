import type { Period } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { findAccountById } from '../../accounts/account-rows.ts'
import { badRequest, ApiError, tooManyRequests } from '../../platform/api-error.ts'
import type { Env } from '../../env.ts'
import { countAttempt, type AttemptLimit } from '../../platform/rate-limits/attempt-limits.ts'
import type { EligibilityState, OrderDiscount, LedgerError } from '../ledger/ledger-calls.ts'
import {
  findCouponByCode,
  releaseHold,
  deleteExpiredHold,
  isUsedUp,
  extendExpiredHold,
  markHoldUsed,
  listExpiredHolders,
  reserveCoupon,
} from './coupon-rows.ts'
import {
  findCouponRejection,
  type Coupon,
  type CouponRejection,
  type CouponHolder,
  isRedeemedAlone,
  isSameCode,
} from './coupon-rules.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'
import { getObject } from '../../platform/objects.ts'

/**
 * Returns the rate limits of coupon guesses per account. A request counts as a guess if no coupon has the code, or if
 * other accounts have taken all uses of the coupon.
 */
export const getGuessLimits = (userId: string): [AttemptLimit, ...AttemptLimit[]] => {
  const name = `coupon:${userId}`
  return [
    { name, action: 'coupon', count: 10, windowMs: 10 * MINUTE_MS },
    { name, action: 'coupon-day', count: 40, windowMs: 1440 * MINUTE_MS },
  ]
}

export function createCouponError({ code, why }: CouponRejection): ApiError {
  return new ApiError(code, 409, undefined, {}, why ?? undefined)
}

/**
 * Returns the coupon of a code. Throws 4101 if the code is unknown or all uses are taken, which counts as a guess.
 * Throws 429 after too many guesses.
 */
export async function findCoupon(env: Env, userId: string, code: string, now: number): Promise<Coupon> {
  const attempt = await countAttempt(env, getGuessLimits(userId), now)
  if (attempt.waitMs > 0) throw tooManyRequests(attempt.waitMs)
  const coupon = await findCouponByCode(env.DB, code)
  if (coupon === null || (await isUsedUp(env.DB, coupon, userId, now)))
    throw createCouponError({ code: 4101, why: null })
  await attempt.markSucceeded()
  return coupon
}

/** Returns the account's data for coupon rules; its email is read only if the coupon needs it. */
export async function getCouponHolder(env: Env, userId: string, coupon: Coupon, now: number): Promise<CouponHolder> {
  const [eligibility, account] = await Promise.all([
    getLedgerState(env, userId, now),
    coupon.emails === null ? null : findAccountById(env.DB, userId),
  ])
  return { book: eligibility, email: account?.email ?? '' }
}

/**
 * Returns the discount of a code on the first invoice of a plan. Throws 4101 to 4107 like CALL-04, 429 after too many
 * guesses, and 400 if the coupon has no discount for this plan.
 */
export async function resolveDiscount(
  env: Env,
  userId: string,
  code: string,
  selection: { readonly sku: Sku; readonly period: Period },
  now: number,
): Promise<OrderDiscount> {
  const coupon = await findCoupon(env, userId, code, now)
  const benefit = coupon.gifts.find(
    ({ kind, sku }) => !isRedeemedAlone({ kind }) && (sku === null || sku === selection.sku),
  )
  const rejection = findCouponRejection(
    coupon,
    benefit ?? coupon.gifts[0] ?? NO_BENEFIT,
    await getCouponHolder(env, userId, coupon, now),
    now,
  )
  if (rejection) throw createCouponError(rejection)
  if (benefit?.kind !== 'percent' && benefit?.kind !== 'amount')
    throw badRequest('This coupon doesn’t apply to this plan.')
  return { code: coupon.code, kind: benefit.kind, value: benefit.value }
}

const NO_BENEFIT = { option_id: '', kind: 'percent', sku: null, value: 0 } as const

/**
 * Settles expired holds of the coupon and reserves it for an idempotency key. Returns false if `reserveCoupon` cannot
 * reserve the coupon.
 */
export async function holdCoupon(
  env: Env,
  code: string,
  userId: string,
  intent: string,
  now: number,
): Promise<boolean> {
  await settleExpiredHolds(env, code, now)
  return await reserveCoupon(env.DB, code, { userId, intent }, now)
}

export async function releaseCoupon(env: Env, code: string, userId: string, intent: string): Promise<void> {
  await releaseHold(env.DB, code, userId, intent)
}

/**
 * Returns true if no request of the account can use the coupon after this error. Requests may still use it after 503
 * (no gateway response), `busy` (another purchase is pending) and 422 (another request used the key first).
 */
export const shouldReleaseHold = ({ code, status }: LedgerError): boolean =>
  status !== 503 && status !== 422 && code !== 'busy'

/**
 * Settles expired holds according to the ledger of each account. A ledger may have used the coupon already, or may
 * still use it for a slow charge.
 */
async function settleExpiredHolds(env: Env, code: string, now: number): Promise<void> {
  for (const userId of await listExpiredHolders(env.DB, code, now)) {
    const { redeemed, reserved } = await getLedgerState(env, userId, now)
    const includesCode = (codes: readonly string[]) => codes.some((otherCode) => isSameCode(otherCode, code))
    if (includesCode(redeemed)) await markHoldUsed(env.DB, code, userId)
    else if (includesCode(reserved)) await extendExpiredHold(env.DB, code, userId, now)
    else await deleteExpiredHold(env.DB, code, userId, now)
  }
}

async function getLedgerState(env: Env, userId: string, now: number): Promise<EligibilityState> {
  return await getObject(env, 'LEDGERS', userId).getEligibilityState(now)
}
