import type * as Workers from '@cloudflare/workers-types'

/** Globals of the Workers runtime that the browser's types do not declare, and the types that `wrangler types` uses. */
declare global {
  const WebSocketPair: typeof Workers.WebSocketPair
  const WebSocketRequestResponsePair: typeof Workers.WebSocketRequestResponsePair
  const FixedLengthStream: typeof Workers.FixedLengthStream
  type D1Database = Workers.D1Database
  type DurableObjectNamespace<T extends Workers.Rpc.DurableObjectBranded | undefined = undefined> =
    Workers.DurableObjectNamespace<T>
  type Fetcher = Workers.Fetcher
  type R2Bucket = Workers.R2Bucket
}
