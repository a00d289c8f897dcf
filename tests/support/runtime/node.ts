/** Stub of `cloudflare:node` for tests that read the route table in Node. Calling this function throws an error. */
export function handleAsNodeRequest(): never {
  throw new Error('A table of routes answers no request.')
}
