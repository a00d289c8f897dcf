/** Stub of `cloudflare:workers` for tests that read the route table in Node. The tests execute no code of this stub. */
export class DurableObject {}
export function waitUntil(): never {
  throw new Error('The cloudflare:workers stub does not support waitUntil.')
}
export class WorkerEntrypoint {}
