import type { Context } from 'hono'
import type { Bindings, Settings } from './settings.ts'

export interface EdgeEnv {
  Bindings: Bindings
  Variables: { settings: Settings; requestId: string }
}
export type EdgeContext = Context<EdgeEnv>
