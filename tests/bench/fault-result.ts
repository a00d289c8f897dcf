/** A promise of the product, the number of attempts to break it, and the number that it held. */
export interface FaultResult {
  readonly promise: string
  readonly tried: number
  readonly held: number
  readonly note: string
}
