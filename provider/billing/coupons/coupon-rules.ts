import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { CouponOption, CouponRefusal } from '../../../contract/billing/coupons.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { EligibilityState } from '../ledger/ledger-calls.ts'

/** Benefit of a coupon. If a coupon has several benefits, the account chooses one. */
export type CouponBenefit = Omit<CouponOption, 'changes'>

export interface Coupon {
  /** Code as customers receive it; case-insensitive. */
  readonly code: string
  readonly gifts: readonly CouponBenefit[]
  /** True if the coupon is only for accounts that have never paid. */
  readonly newOnly: boolean
  /** Email addresses that may use the coupon, in lowercase; null: all. */
  readonly emails: readonly string[] | null
  /** Maximum number of accounts that may use the coupon; null: no limit. */
  readonly maxUses: number | null
  /** Last time at which the coupon is valid, ms UTC; null: no end. */
  readonly until: number | null
  /** Code of the error catalog with which every use of the coupon fails; null: none. */
  readonly always: string | null
}

export interface CouponHolder {
  /** Email address in lowercase; '' if the coupon is not limited to certain addresses. */
  readonly email: string
  readonly book: EligibilityState
}

/** Reason why a coupon is rejected: code of the error catalog, and an explanation from the account's own data. */
export interface CouponRejection {
  readonly code: 4101 | 4102 | 4103 | 4104 | 4105 | 4106 | 4107
  /** Explanation to add to the sentence of the code; null: none. */
  readonly why: CouponRefusal | null
}

/** Maximum balance that an account may have after redeeming a coupon, cents. */
const BALANCE_MAX_CENTS = 50_000

type OwnedSubscription = EligibilityState['subscriptions'][number]

/**
 * Returns null if the account may use this benefit of the coupon, else the first error that applies:
 *
 * | code | reason | applies to |
 * | ---- | ------ | ---------- |
 * | 4101 | the coupon has expired, or this account has used it (only the latter is explained) | all |
 * | 4107 | the coupon is for selected email addresses, and the account's address is not one of them | all |
 * | 4103 | the coupon is for accounts that have never paid, here or through another channel | all |
 * | 4105 | a free trial is running | free months, bonus, credit |
 * | 4106 | every running plan was bought through Amazon and cannot change here | free months, bonus, credit |
 * | 4102 | a running plan has a higher tier than the plan of the benefit | benefits for a plan |
 * | 4104 | the balance would exceed $500 | credit |
 *
 * If `always` is set, every use fails with that error instead.
 */
export function findCouponRejection(
  coupon: Coupon,
  benefit: CouponBenefit,
  { email, book }: CouponHolder,
  now: number,
): CouponRejection | null {
  const { until } = coupon
  const running = book.subscriptions.filter(({ isRunning }) => isRunning)
  const createRejection = (
    code: CouponRejection['code'],
    reason: CouponRefusal['reason'],
    plan?: OwnedSubscription,
  ): CouponRejection => ({
    code,
    why: { reason, sku: plan?.sku ?? null, since: plan?.since ?? null, until },
  })
  if (coupon.always !== null) return createFixedRejection(coupon.always, running, createRejection)
  if (until !== null && until < now) return { code: 4101, why: null }
  if (book.redeemed.some((code) => isSameCode(code, coupon.code))) return createRejection(4101, 'used')
  if (coupon.emails !== null && !coupon.emails.includes(email)) return createRejection(4107, 'select')
  const paid = book.subscriptions.find(isPaid)
  if (coupon.newOnly && (book.hasPaid || paid)) return createRejection(4103, 'new_only', paid)
  const trial = running.find(({ status, channel }) => status === 'trial' && channel === 'web')
  if (isRedeemedAlone(benefit) && trial) return createRejection(4105, 'trial', trial)
  const [other] = running
  if (isRedeemedAlone(benefit) && other && running.every(({ channel }) => channel === 'amazon'))
    return createRejection(4106, 'channel', other)
  const higherPlan = running.find((plan) => hasHigherTier(plan.sku, benefit.sku))
  if (higherPlan) return createRejection(4102, 'has_plan', higherPlan)
  if (benefit.kind === 'credit' && book.balance + benefit.value > BALANCE_MAX_CENTS)
    return createRejection(4104, 'credit')
  return null
}

/** Returns the benefits that the account may use; if there are none, the error of the first benefit. */
export function listUsableBenefits(
  coupon: Coupon,
  holder: CouponHolder,
  now: number,
): readonly CouponBenefit[] | CouponRejection {
  const checks = coupon.gifts.map((gift) => ({ gift, refused: findCouponRejection(coupon, gift, holder, now) }))
  const usable = checks.filter(({ refused: refusal }) => refusal === null).map(({ gift }) => gift)
  return usable.length > 0 ? usable : (checks[0]?.refused ?? { code: 4101, why: null })
}

export const isSameCode = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Returns true if the coupon page redeems the benefit directly. Other benefits are discounts for the purchase of a
 * plan.
 */
export const isRedeemedAlone = ({ kind }: Pick<CouponBenefit, 'kind'>): boolean =>
  kind !== 'percent' && kind !== 'amount'

const isPaid = ({ channel, status }: OwnedSubscription) => channel !== 'bonus' && status !== 'trial'

/**
 * Returns true if the account's plan has a higher tier than the coupon's plan, so that the coupon's plan would add
 * nothing.
 */
function hasHigherTier(owned: Sku, couponSku: Sku | null): boolean {
  if (couponSku === null || owned === couponSku) return false
  const [mine, theirs] = [getPlan(owned), getPlan(couponSku)]
  return mine.tier !== null && theirs.tier !== null && mine.tier > theirs.tier
}

const REJECTION_BY_CODE: Readonly<Record<string, [CouponRejection['code'], CouponRefusal['reason']]>> = {
  '4102': [4102, 'has_plan'],
  '4103': [4103, 'new_only'],
  '4104': [4104, 'credit'],
  '4105': [4105, 'trial'],
  '4106': [4106, 'channel'],
  '4107': [4107, 'select'],
}

function createFixedRejection(
  code: string,
  [plan]: readonly OwnedSubscription[],
  createRejection: (
    code: CouponRejection['code'],
    reason: CouponRefusal['reason'],
    plan?: OwnedSubscription,
  ) => CouponRejection,
): CouponRejection {
  const args = REJECTION_BY_CODE[code]
  return args ? createRejection(...args, plan) : { code: 4101, why: null }
}
