/** Stands for `cloudflare:node` where a test reads the table of routes in Node; nothing is run by it. */
export function handleAsNodeRequest(): never {
  throw new Error('A table of routes answers no request.')
}
