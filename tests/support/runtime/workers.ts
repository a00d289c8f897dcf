/** Stub of `cloudflare:workers` for tests that read the route table in Node. Nothing in this stub runs. */
export class DurableObject {}
export function waitUntil(): never {
  throw new Error('A table of routes has nothing to wait for.')
}
export class WorkerEntrypoint {}
