/** Time between two looks at an unfinished write, ms. */
const POLL_INTERVAL_MS = 20
/** Maximum time that a call waits for an unfinished write, ms. */
const WRITE_WAIT_MS = 2000
/** Delays after which a call looks again for a search that another instance of the Worker may be storing, ms. */
const RETRY_DELAYS_MS = [100, 300]

/** Number of unfinished writes in this instance of the Worker, by account. */
const unfinishedWrites = new Map<string, number>()

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Runs a write to the account's history. Until it ends, `waitForHistory` waits. */
export async function runHistoryWrite(userId: string, write: () => Promise<void>): Promise<void> {
  unfinishedWrites.set(userId, (unfinishedWrites.get(userId) ?? 0) + 1)
  try {
    await write()
  } finally {
    const count = (unfinishedWrites.get(userId) ?? 1) - 1
    if (count > 0) unfinishedWrites.set(userId, count)
    else unfinishedWrites.delete(userId)
  }
}

/**
 * Waits until this instance of the Worker has stored the account's searches. Polls, because a Worker may not await I/O
 * of another request.
 */
export async function waitForHistory(userId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < WRITE_WAIT_MS && unfinishedWrites.has(userId); waitedMs += POLL_INTERVAL_MS)
    await sleep(POLL_INTERVAL_MS)
}

/**
 * Runs `read` on the account's history after its searches are stored. If `read` returns null, runs it again, because
 * another instance of the Worker may still be storing the search.
 */
export async function readStoredSearch<T>(userId: string, read: () => Promise<T | null>): Promise<T | null> {
  await waitForHistory(userId)
  let result = await read()
  for (const delayMs of RETRY_DELAYS_MS) {
    if (result !== null) break
    await sleep(delayMs)
    result = await read()
  }
  return result
}
