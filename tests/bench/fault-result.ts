export interface FaultResult {
  readonly guarantee: string
  readonly attemptCount: number
  readonly heldCount: number
  readonly note: string
}
