/** Lets whatever else waits run before long work goes on: other questions to the same object are answered between its steps. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
