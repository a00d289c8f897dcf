/** Stub of `cloudflare:node` for tests that only read the route table in Node. Throws if called. */
export function handleAsNodeRequest(): never {
  throw new Error('The cloudflare:node stub cannot handle requests.')
}
