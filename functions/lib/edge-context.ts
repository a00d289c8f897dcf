import type { Context } from 'hono'
import type { Bindings, Settings } from './settings.ts'

/** What every route of the edge finds in its context. */
export interface EdgeEnv {
  Bindings: Bindings
  /** `requestId`: `REQUEST_ID_HEADER` of the answer. */
  Variables: { settings: Settings; requestId: string }
}
export type EdgeContext = Context<EdgeEnv>
