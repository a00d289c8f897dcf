/** Stub of `cloudflare:workers` for tests that read the route table in Node; it runs nothing. */
export class DurableObject {}
export function waitUntil(): never {
  throw new Error('A table of routes has nothing to wait for.')
}
export class WorkerEntrypoint {}
