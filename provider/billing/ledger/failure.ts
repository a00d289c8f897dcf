/** Logs a failed operation of the ledger, so that the caller can continue with other work. */
export const logFailure = (operation: string, error: unknown): void =>
  console.error(
    JSON.stringify({ at: 'ledger', what: operation, msg: error instanceof Error ? error.message : 'unknown' }),
  )
