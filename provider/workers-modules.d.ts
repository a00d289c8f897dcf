/**
 * Declares the parts of the Workers runtime that provider and edge use. Written by hand: the package's ambient types
 * clash with the DOM library that checks the rest of the project.
 */
declare module 'cloudflare:workers' {
  import type { DurableObjectState, Rpc } from '@cloudflare/workers-types'

  export abstract class DurableObject<Env = unknown> {
    [Rpc.__DURABLE_OBJECT_BRAND]: never
    protected ctx: DurableObjectState
    protected env: Env
    constructor(ctx: DurableObjectState, env: Env)
  }

  export abstract class WorkerEntrypoint<Env = unknown> {
    protected ctx: Pick<DurableObjectState, 'waitUntil'> & { passThroughOnException(): void; props: unknown }
    protected env: Env
  }

  /** Keeps the task alive after the response to the current request. */
  export function waitUntil(task: Promise<unknown>): void
}

declare module 'cloudflare:node' {
  /** Forwards the request to the `http.Server` that listens on `port` inside this isolate. */
  export function handleAsNodeRequest(port: number, request: Request): Promise<Response>
}

declare module '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2' {
  const font: ArrayBuffer
  export default font
}
