/** Stands for `cloudflare:workers` where a test reads the table of routes in Node; nothing is run by it. */
export class DurableObject {}
export function waitUntil(): never {
  throw new Error('A table of routes has nothing to wait for.')
}
export class WorkerEntrypoint {}
