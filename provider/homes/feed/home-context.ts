import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { HomeCameraAccess } from '../members/camera-access-rows.ts'
import type { Env } from '../../env.ts'
import type { BridgeChecks } from './bridge-checks.ts'
import type { FeedSockets } from './feed-sockets.ts'

export interface HomeContext {
  readonly ctx: DurableObjectState
  readonly env: Env
  readonly sql: SqlStorage
  readonly access: HomeCameraAccess
  readonly feed: FeedSockets
  readonly bridgeChecks: BridgeChecks
}
