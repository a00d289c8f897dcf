/** 97.5th percentile of the normal distribution, for 95 % intervals. */
const Z_SCORE_95 = 1.959963984540054

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Returns Wilson's 95 % score interval (1927) for the share of `hits` in `count`, within 0 to 1; the whole range if
 * `count` is 0.
 */
export function getWilsonInterval(hits: number, count: number): Interval {
  if (count === 0) return { low: 0, high: 1 }
  const share = hits / count
  const middle = share + (Z_SCORE_95 * Z_SCORE_95) / (2 * count)
  const half = Z_SCORE_95 * Math.sqrt((share * (1 - share)) / count + (Z_SCORE_95 * Z_SCORE_95) / (4 * count * count))
  const whole = 1 + (Z_SCORE_95 * Z_SCORE_95) / count
  return { low: Math.max(0, (middle - half) / whole), high: Math.min(1, (middle + half) / whole) }
}

/**
 * Returns the 95 % interval of the difference of two shares, first minus second, by Newcombe's hybrid score (1998,
 * method 10). The result is within -1 to 1; the whole range if a count is 0.
 */
export function getNewcombeInterval(hits: number, count: number, otherHits: number, otherCount: number): Interval {
  if (count === 0 || otherCount === 0) return { low: -1, high: 1 }
  const [share, other] = [hits / count, otherHits / otherCount]
  const [shareInterval, otherInterval] = [getWilsonInterval(hits, count), getWilsonInterval(otherHits, otherCount)]
  const distance = share - other
  return {
    low: distance - Math.hypot(share - shareInterval.low, otherInterval.high - other),
    high: distance + Math.hypot(shareInterval.high - share, other - otherInterval.low),
  }
}
