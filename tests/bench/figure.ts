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
