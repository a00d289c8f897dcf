import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import {
  getChangeCode,
  isAtPeriodEnd,
  type ChangeCode,
  type PlanState,
} from '../../../contract/billing/change-codes.ts'
import type { PlanSelection } from './price.ts'

export interface ChangedSubscription extends PlanSelection {
  readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
}

export interface PlanChange {
  readonly change: ChangeCode
  /** True if the change starts at the end of the paid period. False if it starts immediately with a new period. */
  readonly isLater: boolean
}

/**
 * Returns the change from a subscription (null: none) to the selected plan. Returns null if the change has no code
 * (`getChangeCode`), or if one of the plans is not for cameras. Unpaid time ends immediately: a trial counts as no
 * plan, and a past-due plan changes without waiting for the end of its period. T1 to T3 are the plan tiers.
 *
 * | from | to | code | when |
 * | --- | --- | --- | --- |
 * | none, a trial | T1, T2, T3 | 1, 2, 3 | immediately |
 * | monthly | annual | 10, 20, 30 | immediately |
 * | annual | monthly | 11, 21, 31 | end |
 * | T1 | T1 with more, fewer licenses | 12, 13 | 12 immediately, 13 end |
 * | T1, T1, T2 | T2, T3, T3 | 51, 53, 54 | immediately |
 * | T2, T3, T3 | T1, T1, T2 | 52, 55, 56 | end |
 */
export function findPlanChange(from: ChangedSubscription | null, to: PlanSelection): PlanChange | null {
  const target = toPlanState(to)
  const current = from === null || from.status === 'trial' ? null : toPlanState(from)
  if (target === null || (current === null && from !== null && from.status !== 'trial')) return null
  const change = getChangeCode(current ?? { ...target, tier: 0 }, target)
  if (change === null) return null
  return { change, isLater: current !== null && from?.status !== 'past_due' && isAtPeriodEnd(change) }
}

/**
 * Returns the code for undoing a scheduled change. Returns null if the subscription is not active, no change is
 * scheduled, or `to` is not the current plan.
 */
export function findUndoCode(
  from: ChangedSubscription & { readonly scheduled: PlanSelection | null },
  to: PlanSelection,
): ChangeCode | null {
  const isSame = from.sku === to.sku && from.period === to.period && from.quantity === to.quantity
  const [scheduledState, target] = [from.scheduled && toPlanState(from.scheduled), toPlanState(to)]
  return from.status === 'active' && isSame && scheduledState && target ? getChangeCode(scheduledState, target) : null
}

/** Returns null for a plan that is not for cameras, because such a plan has no change codes. */
function toPlanState({ sku, period, quantity }: PlanSelection): PlanState | null {
  const { tier } = getPlan(sku)
  return tier === null ? null : { tier, period, quantity }
}
