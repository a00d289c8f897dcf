/** Stub of `cloudflare:node` for tests that read the route table in Node; it runs nothing. */
export function handleAsNodeRequest(): never {
  throw new Error('A table of routes answers no request.')
}
