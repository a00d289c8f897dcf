/** Ends the current task, so that input and frames do not wait. Safari has no `scheduler.yield`. */
export const yieldToMain = (): Promise<void> =>
  'scheduler' in globalThis && 'yield' in scheduler ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
