/** One measured value and its goal. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: number
  /** `max`: the goal is an upper bound; `min`: a lower bound. */
  readonly bound: 'max' | 'min'
  /** The same on a bare page of the same machine in the same run (floors.ts). */
  readonly floor?: number
}
