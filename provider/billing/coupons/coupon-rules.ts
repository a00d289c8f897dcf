import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { CouponOption, CouponRefusal } from '../../../contract/billing/coupons.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { BookState } from '../ledger/ledger-calls.ts'

/** Benefit of a coupon, which may offer several to choose from. */
export type CouponBenefit = Omit<CouponOption, 'changes'>

export interface Coupon {
  /** Code as people get it; its case does not matter. */
  readonly code: string
  readonly gifts: readonly CouponBenefit[]
  /** Only for accounts that have never paid. */
  readonly newOnly: boolean
  /** Only for these email addresses, in lowercase; null: for all. */
  readonly emails: readonly string[] | null
  /** Maximum number of accounts that may use it; null: no limit. */
  readonly maxUses: number | null
  /** Last valid moment, ms UTC; null: no end. */
  readonly until: number | null
  /** Catalog code that it always fails with; null: none. */
  readonly always: string | null
}

export interface Holder {
  /** In lower case. */
  readonly email: string
  readonly book: BookState
}

/** Rejected coupon: code of the error catalog, and its explanation from the account's own data. */
export interface CouponRefused {
  readonly code: 4101 | 4102 | 4103 | 4104 | 4105 | 4106 | 4107
  /** Null: only the sentence of the code is shown. */
  readonly why: CouponRefusal | null
}

/** Maximum balance that a coupon may lead to, cents. */
const BALANCE_MAX = 50_000

type Owned = BookState['subscriptions'][number]

/**
 * Returns null if the account may use this benefit of the coupon, else the first error that applies:
 *
 * | code | reason | applies to |
 * | ---- | ------ | ---------- |
 * | 4101 | expired, or used by this account (only the latter is explained) | all |
 * | 4107 | for select addresses, and this is none of them | all |
 * | 4103 | for accounts that have never paid, here or through another channel | all |
 * | 4105 | a free trial runs, which it would cut short | free months, bonus, credit |
 * | 4106 | the only camera plan belongs to another channel and cannot change here | free months, bonus, credit |
 * | 4102 | a higher plan: Camera AI would give nothing, nor Unlimited beside Pro | benefits for such a plan |
 * | 4104 | the balance would exceed $500 | credit |
 */
export function couponRefused(
  coupon: Coupon,
  gift: CouponBenefit,
  { email, book }: Holder,
  now: number,
): CouponRefused | null {
  const { until } = coupon
  const running = book.subscriptions.filter(({ isRunning }) => isRunning)
  const createRefusal = (
    code: CouponRefused['code'],
    reason: CouponRefusal['reason'],
    plan?: Owned,
  ): CouponRefused => ({
    code,
    why: { reason, sku: plan?.sku ?? null, since: plan?.since ?? null, until },
  })
  if (coupon.always !== null) return always(coupon.always, running, createRefusal)
  if (until !== null && until < now) return { code: 4101, why: null }
  if (book.redeemed.some((code) => isSameCode(code, coupon.code))) return createRefusal(4101, 'used')
  if (coupon.emails !== null && !coupon.emails.includes(email)) return createRefusal(4107, 'select')
  const paid = book.subscriptions.find(isPaid)
  if (coupon.newOnly && (book.hasPaid || paid)) return createRefusal(4103, 'new_only', paid)
  const trial = running.find(({ status, channel }) => status === 'trial' && channel === 'web')
  if (isRedeemed(gift) && trial) return createRefusal(4105, 'trial', trial)
  const [other] = running
  if (isRedeemed(gift) && other && running.every(({ channel }) => channel === 'amazon'))
    return createRefusal(4106, 'channel', other)
  const above = running.find((plan) => isAbove(plan.sku, gift.sku))
  if (above) return createRefusal(4102, 'has_plan', above)
  if (gift.kind === 'credit' && book.balance + gift.value > BALANCE_MAX) return createRefusal(4104, 'credit')
  return null
}

/** Returns the benefits that the account may use, or the error of the first one if there is none. */
export function giftsFor(coupon: Coupon, holder: Holder, now: number): readonly CouponBenefit[] | CouponRefused {
  const checks = coupon.gifts.map((gift) => ({ gift, refused: couponRefused(coupon, gift, holder, now) }))
  const left = checks.filter(({ refused: refusal }) => refusal === null).map(({ gift }) => gift)
  return left.length > 0 ? left : (checks[0]?.refused ?? { code: 4101, why: null })
}

export const isSameCode = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Returns true if the benefit is redeemed on its own, not on the page of a plan. */
export const isRedeemed = ({ kind }: Pick<CouponBenefit, 'kind'>): boolean => kind !== 'percent' && kind !== 'amount'

const isPaid = ({ channel, status }: Owned) => channel !== 'bonus' && status !== 'trial'

/** Returns true if the owned plan makes the given plan useless. Camera AI covers one camera and is the lowest tier. */
function isAbove(owned: Sku, couponSku: Sku | null): boolean {
  if (couponSku === null || owned === couponSku) return false
  const [mine, theirs] = [getPlan(owned), getPlan(couponSku)]
  return mine.tier !== null && theirs.tier !== null && mine.tier > theirs.tier
}

const REASONS: Readonly<Record<string, [CouponRefused['code'], CouponRefusal['reason']]>> = {
  '4102': [4102, 'has_plan'],
  '4103': [4103, 'new_only'],
  '4104': [4104, 'credit'],
  '4105': [4105, 'trial'],
  '4106': [4106, 'channel'],
  '4107': [4107, 'select'],
}

function always(
  code: string,
  [plan]: readonly Owned[],
  say: (code: CouponRefused['code'], reason: CouponRefusal['reason'], plan?: Owned) => CouponRefused,
): CouponRefused {
  const args = REASONS[code]
  return args ? say(...args, plan) : { code: 4101, why: null }
}
