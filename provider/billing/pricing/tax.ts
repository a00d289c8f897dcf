/**
 * Returns the tax of one line in cents, half up away from 0 for either sign. `basisPoints`: hundredths of a percent.
 *
 * | amount | at 825 |
 * | --- | --- |
 * | 9999 | 825 |
 * | -2000 | -165 |
 * | -478 | -39 |
 */
export function taxFor(amount: number, basisPoints: number): number {
  return amount < 0 ? 0 - half(-amount * basisPoints, 10_000) : half(amount * basisPoints, 10_000)
}

/** Returns `whole / by`, half up; both are integers, `whole` is 0 or more. */
export const half = (whole: number, by: number): number => Math.floor((2 * whole + by) / (2 * by))
