import type { Period } from './money.ts'

/**
 * Codes for changes of a camera plan (SUB-02 to SUB-11). `F`: free, `T1` to `T3`: tier, `M`: monthly, `A`: annual, `+`
 * and `-`: more or fewer licenses. The change from a paid plan to free has no code, because it is a cancellation
 * (OPEN-82).
 */
export const CHANGE_CODES = {
  'F-T1': 1,
  'F-T2': 2,
  'F-T3': 3,
  'T1-M-A': 10,
  'T1-A-M': 11,
  'T1+': 12,
  'T1-': 13,
  'T2-M-A': 20,
  'T2-A-M': 21,
  'T3-M-A': 30,
  'T3-A-M': 31,
  'T1-T2': 51,
  'T2-T1': 52,
  'T1-T3': 53,
  'T2-T3': 54,
  'T3-T1': 55,
  'T3-T2': 56,
} as const
export type ChangeName = keyof typeof CHANGE_CODES
export type ChangeCode = (typeof CHANGE_CODES)[ChangeName]
export const CHANGE_CODE_VALUES = Object.values(CHANGE_CODES)

/** State of a camera plan for a comparison. `tier` 0: no plan. */
export interface PlanState {
  readonly tier: 0 | 1 | 2 | 3
  readonly period: Period
  readonly quantity: number
}

/**
 * Returns the code of a plan change; null if nothing changes, only the quantity of a T2 or T3 plan changes, or a paid
 * plan becomes free. A tier change hides a period change, and a period change hides a quantity change (OPEN-144).
 */
export function getChangeCode(from: PlanState, to: PlanState): ChangeCode | null {
  if (to.tier === 0) return null
  const name =
    from.tier === 0
      ? `F-T${to.tier}`
      : from.tier !== to.tier
        ? `T${from.tier}-T${to.tier}`
        : from.period !== to.period
          ? `T${from.tier}-${from.period === 'monthly' ? 'M-A' : 'A-M'}`
          : from.tier === 1 && from.quantity !== to.quantity
            ? `T1${to.quantity > from.quantity ? '+' : '-'}`
            : null
  return name !== null && name in CHANGE_CODES ? CHANGE_CODES[name as ChangeName] : null
}

/**
 * Codes of changes that take effect at the end of the paid period, unless the plan is past due. All other changes take
 * effect immediately.
 */
const PERIOD_END_CODES: readonly ChangeCode[] = [11, 13, 21, 31, 52, 55, 56]
export const isAtPeriodEnd = (code: ChangeCode): boolean => PERIOD_END_CODES.includes(code)
