import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { CouponOption, CouponRefusal } from '../../../contract/billing/coupons.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { BookState } from '../ledger/ledger-calls.ts'

/** What a coupon gives, one of several where there is a choice. */
export type CouponBenefit = Omit<CouponOption, 'changes'>

export interface Coupon {
  /** As people have it; its case does not matter. */
  readonly code: string
  readonly gifts: readonly CouponBenefit[]
  /** Only for those who have never paid. */
  readonly newOnly: boolean
  /** Only for these addresses, in lower case; null: for everybody. */
  readonly emails: readonly string[] | null
  /** How many accounts may use it; null: any number. */
  readonly maxUses: number | null
  /** Last moment, ms UTC; null: for ever. */
  readonly until: number | null
  /** Code of the catalogue that it always causes; null: none. */
  readonly always: string | null
}

/** Who wants to use a coupon. */
export interface Holder {
  /** In lower case. */
  readonly email: string
  readonly book: BookState
}

/** Why not: a code of the catalogue, and what explains it by the account's own facts. */
export interface CouponRefused {
  readonly code: 4101 | 4102 | 4103 | 4104 | 4105 | 4106 | 4107
  /** Null: nothing but the sentence of the code is said. */
  readonly why: CouponRefusal | null
}

/** No balance becomes larger by a coupon, cents. */
const BALANCE_MAX = 50_000

type Owned = BookState['subscriptions'][number]

/**
 * Null: the account may use this of the coupon. In this order
 *
 * | code | it is refused because                                                                      | what it is asked of     |
 * | ---- | ------------------------------------------------------------------------------------------ | ----------------------- |
 * | 4101 | it is over, or this account has used it (nobody learns why but the latter)                 | all                     |
 * | 4107 | it is for select addresses, and this is none of them                                       | all                     |
 * | 4103 | it is for those who have never paid, here or through another channel                       | all                     |
 * | 4105 | free days run, which it would cut short                                                    | free months, bonus, credit |
 * | 4106 | the only camera plan is another channel's, which nothing here can change                   | free months, bonus, credit |
 * | 4102 | every camera is covered already: Camera AI would give nothing, nor Unlimited beside Pro    | what is for such a plan |
 * | 4104 | the balance would be more than $500                                                        | credit                  |
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

/** What is left of a choice, or why nothing is: what the first of it is refused for. */
export function giftsFor(coupon: Coupon, holder: Holder, now: number): readonly CouponBenefit[] | CouponRefused {
  const checks = coupon.gifts.map((gift) => ({ gift, refused: couponRefused(coupon, gift, holder, now) }))
  const left = checks.filter(({ refused: refusal }) => refusal === null).map(({ gift }) => gift)
  return left.length > 0 ? left : (checks[0]?.refused ?? { code: 4101, why: null })
}

export const isSameCode = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** What is used by itself, not on the page of a plan. */
export const isRedeemed = ({ kind }: Pick<CouponBenefit, 'kind'>): boolean => kind !== 'percent' && kind !== 'amount'

const isPaid = ({ channel, status }: Owned) => channel !== 'bonus' && status !== 'trial'

/** Returns whether the owned plan makes the given plan useless. Camera AI covers one camera and is the lowest tier. */
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
