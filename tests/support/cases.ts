import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Number of cases that the test tries; 1 if absent. */
    cases?: number
  }
}

/** Records the number of cases of the test: `npm run bench -- --faults` counts them. */
export function tries(context: TestContext, cases: number): void {
  context.task.meta.cases = cases
}

export function captureOutcome<T>(call: () => T): T | Error {
  try {
    return call()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
