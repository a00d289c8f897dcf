/** Logs a failed operation; the ledger continues without it and retries it. */
export const logFailure = (operation: string, error: unknown): void =>
  console.error(
    JSON.stringify({ at: 'ledger', what: operation, msg: error instanceof Error ? error.message : 'unknown' }),
  )
