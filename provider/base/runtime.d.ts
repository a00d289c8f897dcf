import type { FixedLengthStream as Fixed, WebSocketPair as Pair } from '@cloudflare/workers-types'

/** Globals of the Workers runtime that the browser's types do not know. */
declare global {
  const WebSocketPair: typeof Pair
  const FixedLengthStream: typeof Fixed
}
