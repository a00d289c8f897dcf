export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal: number
  /** `max`: the goal is an upper bound; `min`: a lower bound. */
  readonly bound: 'max' | 'min'
  /** The same measurement on a bare page, on the same machine and in the same run (floors.ts). */
  readonly floor?: number
}
