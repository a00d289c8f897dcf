/** Yields to the event loop between steps of long work, so that the Durable Object can serve other requests. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
