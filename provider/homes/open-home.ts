import type { DurableObjectState } from '@cloudflare/workers-types'
import { HomeCameraAccess } from './members/camera-access-rows.ts'
import { migrateSchema } from '../platform/migrate-schema.ts'
import type { Env } from '../env.ts'
import { BridgeChecks } from './feed/bridge-checks.ts'
import { FeedSockets } from './feed/feed-sockets.ts'
import type { HomeContext } from './feed/home-context.ts'
import { migrateStoredNames } from '../people/stored-names.ts'
import { HOME_SCHEMA, PEOPLE_SCHEMA_VERSION } from './home-schema.ts'

/** Migrates the storage of a home and returns the context of its parts. */
export function openHome(ctx: DurableObjectState, env: Env): HomeContext {
  const { sql } = ctx.storage
  ctx.storage.transactionSync(() => {
    const previousStepCount = migrateSchema(sql, HOME_SCHEMA)
    if (previousStepCount > 0 && previousStepCount < PEOPLE_SCHEMA_VERSION) migrateStoredNames(sql, Date.now())
  })
  const access = new HomeCameraAccess(sql)
  const feed = new FeedSockets(ctx, env, access)
  return { ctx, env, sql, access, feed, bridgeChecks: new BridgeChecks(sql, env) }
}
