import { divideHalfUp } from './tax.ts'

/** Discount on the first invoice. `value`: percent of the plan line, or cents. */
export interface Discount {
  readonly code: string
  readonly kind: 'percent' | 'amount'
  readonly value: number
}

/**
 * Returns the cents that a coupon takes off a plan line, rounded half up and at most the whole line.
 *
 * | line | coupon | off |
 * | --- | --- | --- |
 * | 9999 | 20 % | 2000 |
 * | 9999 | 500 | 500 |
 * | 299 | 500 | 299 |
 */
export function computeDiscount(line: number, { kind, value }: Pick<Discount, 'kind' | 'value'>): number {
  const off = kind === 'percent' ? divideHalfUp(line * value, 100) : value
  return Math.min(line, Math.max(0, off))
}
