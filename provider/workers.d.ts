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
}
