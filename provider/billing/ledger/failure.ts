/** Says in the log what could not be done: the book goes on without it and tries again. */
export const logFailure = (operation: string, error: unknown): void =>
  console.error(
    JSON.stringify({ at: 'ledger', what: operation, msg: error instanceof Error ? error.message : 'unknown' }),
  )
