import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { changeCode, isAtPeriodEnd, type ChangeCode, type PlanState } from '../../../contract/billing/change-codes.ts'
import type { PlanSelection } from './price.ts'

/** What a subscription is when it is to be changed. */
export interface Changed extends PlanSelection {
  readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
}

export interface PlanChange {
  readonly change: ChangeCode
  /** At the end of what is paid; else at once, and a new period begins. */
  readonly isLater: boolean
}

/**
 * The move from a subscription (null: from none) to what is wanted; null where there is none. Times of nothing paid end at
 * once: a trial counts as no plan, and what is past due has nothing left to wait for.
 *
 * | from            | to             | code       | when    |
 * | --------------- | -------------- | ---------- | ------- |
 * | none, a trial   | T1, T2, T3     | 1, 2, 3    | at once |
 * | monthly         | annual         | 10, 20, 30 | at once |
 * | annual          | monthly        | 11, 21, 31 | end     |
 * | T1              | more, fewer    | 12, 13     | 12 at once, 13 end |
 * | T1, T1, T2      | T2, T3, T3     | 51, 53, 54 | at once |
 * | T2, T3, T3      | T1, T1, T2     | 52, 55, 56 | end     |
 */
export function findPlanChange(from: Changed | null, to: PlanSelection): PlanChange | null {
  const target = toPlanState(to)
  const current = from === null || from.status === 'trial' ? null : toPlanState(from)
  if (target === null || (current === null && from !== null && from.status !== 'trial')) return null
  const change = changeCode(current ?? { ...target, tier: 0 }, target)
  if (change === null) return null
  return { change, isLater: current !== null && from?.status !== 'past_due' && isAtPeriodEnd(change) }
}

/**
 * Choosing the plan that runs calls off what was chosen for its next period: the code of the way back from there; null: nothing
 * is called off.
 */
export function findUndoCode(
  from: Changed & { readonly scheduled: PlanSelection | null },
  to: PlanSelection,
): ChangeCode | null {
  const isSame = from.sku === to.sku && from.period === to.period && from.quantity === to.quantity
  const [planned, back] = [from.scheduled && toPlanState(from.scheduled), toPlanState(to)]
  return from.status === 'active' && isSame && planned && back ? changeCode(planned, back) : null
}

/** Null for what is no camera plan: it has no change codes. */
function toPlanState({ sku, period, quantity }: PlanSelection): PlanState | null {
  const { tier } = getPlan(sku)
  return tier === null ? null : { tier, period, quantity }
}
