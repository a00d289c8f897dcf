import type { Hono } from 'hono'
import type { InferOutput } from 'valibot'
import { processRedeem, redeem } from '../../contract/redeem.ts'
import { malformed } from '../base/refusal.ts'
import type { AppEnv, Env } from '../env.ts'
import { serve } from '../http/serve.ts'
import type { CouponUse } from '../ledger/answers.ts'
import { refusalOf } from '../ledger/refusal.ts'
import { findCoupon, holdCoupon, holderOf, refusalFor, releaseCoupon } from './coupons.ts'
import { couponOf, holdOf } from './rows.ts'
import { type Coupon, couponRefused, type Gift, giftsFor } from './rules.ts'

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
  const changes = ask === null ? [] : await env.LEDGERS.getByName(userId).lookAtCoupon(ask, now)
  return { ...gift, changes: [...changes] }
}

type Asked = InferOutput<typeof processRedeem.request>

/**
 * Uses a coupon: reserved in D1, then used in the account's book, whose outbox notes that in D1. The book knows the intent: the same
 * key with the same body has the same answer, with another one 422. Whoever comes back with an intent that has reserved it is not
 * asked again whether they may.
 */
async function use(env: Env, userId: string, { code, option_id, intent }: Asked, now: number) {
  const { coupon, gift } = await chosen(env, userId, { code, option_id, intent }, now)
  const ask = askOf(coupon, gift)
  if (ask === null) throw malformed('This coupon is used on the page of a plan.')
  if (!(await holdCoupon(env, code, userId, intent, now))) throw refusalFor({ code: 4101, why: null })
  const answer = await env.LEDGERS.getByName(userId).useCoupon(intent, ask, now)
  if (answer.state === 'refused') {
    // A key that was used for something else may hold the coupon for that.
    if (answer.status !== 422) await releaseCoupon(env, code, userId, intent)
    throw refusalOf(answer)
  }
  const { subscription_id, balance, changes } = answer
  return { kind: gift.kind, subscription_id, balance, changes: [...changes] }
}

async function chosen(
  env: Env,
  userId: string,
  { code, option_id, intent }: Pick<Asked, 'code' | 'option_id' | 'intent'>,
  now: number,
) {
  const hold = await holdOf(env.DB, code, userId)
  const isAgain = hold?.intent === intent && (hold.expires_at ?? Infinity) > now
  const coupon = (isAgain ? await couponOf(env.DB, code) : null) ?? (await findCoupon(env, userId, code, now))
  const gift = coupon.gifts.find((one) => one.option_id === option_id)
  if (!gift) throw malformed('The coupon has no such option.')
  if (isAgain) return { coupon, gift }
  const refused = couponRefused(coupon, gift, await holderOf(env, userId, coupon, now), now)
  if (refused) throw refusalFor(refused)
  return { coupon, gift }
}

/** What the book is asked to do; null: it comes off a price. */
function askOf({ code }: Coupon, { kind, sku, value }: Gift): CouponUse | null {
  if (kind === 'percent' || kind === 'amount' || sku === 'free') return null
  return { code, kind, sku, value }
}
