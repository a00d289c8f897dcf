import type { Context } from 'hono'
import type { Bindings, Settings } from './settings.ts'

export interface EdgeEnv {
  Bindings: Bindings
  /** `requestId`: value of the response header `REQUEST_ID_HEADER`. */
  Variables: { settings: Settings; requestId: string }
}
export type EdgeContext = Context<EdgeEnv>
