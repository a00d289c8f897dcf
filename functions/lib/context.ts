import type { Context } from 'hono'
import type { Bindings, Settings } from './env.ts'

/** What every route of the edge finds in its context. */
export interface EdgeEnv {
  Bindings: Bindings
  Variables: { settings: Settings }
}
export type EdgeContext = Context<EdgeEnv>
