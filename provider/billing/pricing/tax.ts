/**
 * Returns the tax of one line in cents, rounded half away from zero. `basisPoints`: hundredths of a percent.
 *
 * | amount | at 825 |
 * | --- | --- |
 * | 9999 | 825 |
 * | -2000 | -165 |
 * | -478 | -39 |
 */
export function computeTax(amount: number, basisPoints: number): number {
  return amount < 0 ? 0 - divideHalfUp(-amount * basisPoints, 10_000) : divideHalfUp(amount * basisPoints, 10_000)
}

/**
 * Returns `dividend / divisor`, rounded half up. Both must be integers, `dividend` at least 0 and `divisor` above 0.
 */
export const divideHalfUp = (dividend: number, divisor: number): number =>
  Math.floor((2 * dividend + divisor) / (2 * divisor))
