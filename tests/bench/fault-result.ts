export interface FaultResult {
  readonly promise: string
  readonly tried: number
  readonly held: number
  readonly note: string
}
