import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases the test tries; 1 where it does not say. */
    cases?: number
  }
}

/** Notes that the test of `context` tries so many cases: `npm run bench -- --faults` counts them. */
export function tries(context: TestContext, cases: number): void {
  context.task.meta.cases = cases
}

/** What a call answers, or the error that it throws. */
export function captureOutcome<T>(call: () => T): T | Error {
  try {
    return call()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
