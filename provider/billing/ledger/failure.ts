/** Says in the log what could not be done: the book goes on without it and tries again. */
export const sayFailure = (what: string, error: unknown): void =>
  console.error(JSON.stringify({ at: 'ledger', what, msg: error instanceof Error ? error.message : 'unknown' }))
