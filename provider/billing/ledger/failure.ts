/** Logs a failed operation. The ledger continues with its other work and retries the operation later. */
export const logFailure = (operation: string, error: unknown): void =>
  console.error(
    JSON.stringify({ at: 'ledger', what: operation, msg: error instanceof Error ? error.message : 'unknown' }),
  )
