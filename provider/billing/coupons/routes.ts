import type { Hono } from 'hono'
import type { InferOutput } from 'valibot'
import { processRedeem, redeem } from '../../../contract/billing/coupons.ts'
import { malformed } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { serve } from '../../platform/http/serve-call.ts'
import type { CouponUse } from '../ledger/ledger-calls.ts'
import { ledgerOf, refusalOf } from '../ledger/ledger-stub.ts'
import { findCoupon, holdCoupon, holderOf, isLetGo, refusalFor, releaseCoupon } from './coupon-service.ts'
import { couponOf, holdOf } from './coupon-rows.ts'
import { type Coupon, couponRefused, type Gift, giftsFor } from './coupon-rules.ts'

/** Mounts the calls about coupons (CALL-04, CALL-05). */
export function redeemRoutes(app: Hono<AppEnv>): void {
  serve(app, redeem, ({ env, account: { userId }, input, now }) => look(env, userId, input.code, now))
  serve(app, processRedeem, ({ env, account: { userId }, input, now }) => use(env, userId, input, now))
}

async function look(env: Env, userId: string, code: string, now: number) {
  const coupon = await findCoupon(env, userId, code, now)
  const gifts = giftsFor(coupon, await holderOf(env, userId, coupon, now), now)
  if ('code' in gifts) throw refusalFor(gifts)
  const options = await Promise.all(gifts.map((gift) => optionOf(env, userId, coupon, gift, now)))
  return { code: coupon.code, until: coupon.until, options }
}

async function optionOf(env: Env, userId: string, coupon: Coupon, gift: Gift, now: number) {
  const ask = askOf(coupon, gift)
  const changes = ask === null ? [] : await ledgerOf(env, userId).lookAtCoupon(ask, now)
  return { ...gift, changes: [...changes] }
}

type Asked = InferOutput<typeof processRedeem.request>

/**
 * Uses a coupon: reserved in D1, then used in the account's book, whose outbox notes that in D1. The book knows the intent: the same
 * key with the same body has the same answer, with another one 422, and neither reserves anything.
 */
async function use(env: Env, userId: string, { code, option_id, intent }: Asked, now: number) {
  const ledger = ledgerOf(env, userId)
  const isAgain = await ledger.knows(intent, now)
  const { coupon, gift } = await chosen(env, userId, { code, option_id, intent, isAgain }, now)
  const ask = askOf(coupon, gift)
  if (ask === null) throw malformed('This coupon is used on the page of a plan.')
  if (!isAgain && !(await holdCoupon(env, code, userId, intent, now))) throw refusalFor({ code: 4101, why: null })
  const answer = await ledger.useCoupon(intent, ask, now)
  if (answer.state === 'refused') {
    if (isLetGo(answer)) await releaseCoupon(env, code, userId, intent)
    throw refusalOf(answer)
  }
  const { subscription_id, balance, changes } = answer
  return { kind: gift.kind, subscription_id, balance, changes: [...changes] }
}

interface Choice extends Pick<Asked, 'code' | 'option_id' | 'intent'> {
  readonly isAgain: boolean
}

/** What is to be used. Whether they may is not asked of an intent that was answered; a code that the account never had is a guess by any key. */
async function chosen(env: Env, userId: string, { code, option_id, intent, isAgain }: Choice, now: number) {
  const isTheirs = isAgain && (await holdOf(env.DB, code, userId)) !== null
  const coupon = (isTheirs ? await couponOf(env.DB, code) : null) ?? (await findCoupon(env, userId, code, now))
  const gift = coupon.gifts.find((one) => one.option_id === option_id)
  if (!gift) throw malformed('The coupon has no such option.')
  const refused = isAgain ? null : couponRefused(coupon, gift, await holderOf(env, userId, coupon, now), now)
  // The same key may have been answered while this was looked at.
  if (refused && !(await ledgerOf(env, userId).knows(intent, now))) throw refusalFor(refused)
  return { coupon, gift }
}

/** What the book is asked to do; null: it comes off a price. */
function askOf({ code }: Coupon, { kind, sku, value }: Gift): CouponUse | null {
  if (kind === 'percent' || kind === 'amount' || sku === 'free') return null
  return { code, kind, sku, value }
}
