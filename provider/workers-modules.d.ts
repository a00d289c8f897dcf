/**
 * What provider and edge take from the Workers runtime. Declared by hand: the package's ambient types clash with the DOM
 * library that the rest of the project is checked with.
 */
declare module 'cloudflare:workers' {
  import type { DurableObjectState, Rpc } from '@cloudflare/workers-types'

  export abstract class DurableObject<Env = unknown> {
    [Rpc.__DURABLE_OBJECT_BRAND]: never
    protected ctx: DurableObjectState
    protected env: Env
    constructor(ctx: DurableObjectState, env: Env)
  }

  /** What answers requests under a name of its own. */
  export abstract class WorkerEntrypoint<Env = unknown> {
    protected ctx: Pick<DurableObjectState, 'waitUntil'> & { passThroughOnException(): void; props: unknown }
    protected env: Env
  }

  /** Keeps what is going on alive after the answer to the request at hand. */
  export function waitUntil(task: Promise<unknown>): void
}

declare module 'cloudflare:node' {
  /** Hands the request to the `http.Server` that listens on `port` inside this isolate. */
  export function handleAsNodeRequest(port: number, request: Request): Promise<Response>
}

declare module '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2' {
  const font: ArrayBuffer
  export default font
}
