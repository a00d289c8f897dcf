import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Number of cases that the test runs; 1 if absent. */
    cases?: number
  }
}

/** Records the number of cases in the test. `npm run bench -- --faults` adds up these numbers for each guarantee. */
export function recordCaseCount(context: TestContext, cases: number): void {
  context.task.meta.cases = cases
}

export function returnOrCatchError<T>(call: () => T): T | Error {
  try {
    return call()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
