/** Yields to the event loop during long work, so that the object serves other requests between its steps. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
