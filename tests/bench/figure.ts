export interface Figure {
  readonly label: string
  readonly value: number
  readonly unit: string
  readonly goal: number
  /** `max`: the goal is an upper bound. `min`: the goal is a lower bound. */
  readonly bound: 'max' | 'min'
  /** Value of the same task on a bare page without the portal's code, measured in the same run on the same machine. */
  readonly baseline?: number
}

/** Returns the value below which `fraction` (0 to 1) of the values are; NaN without values. */
export function computePercentile(times: readonly number[], fraction: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * fraction)] ?? Number.NaN
}
