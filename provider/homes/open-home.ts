import type { DurableObjectState } from '@cloudflare/workers-types'
import { HomeCameraAccess } from './members/camera-access-rows.ts'
import { migrateSchema } from '../platform/migrate-schema.ts'
import type { Env } from '../env.ts'
import { FeedSockets } from './feed/feed-sockets.ts'
import type { HomeContext } from './feed/home-context.ts'
import { adoptNames } from '../people/stored-names.ts'
import { HOME_SCHEMA, STEPS_WITH_PEOPLE } from './home-schema.ts'

/** Migrates the storage of a home and returns the context of its parts. */
export function openHome(ctx: DurableObjectState, env: Env): HomeContext {
  const { sql } = ctx.storage
  ctx.storage.transactionSync(() => {
    const before = migrateSchema(sql, HOME_SCHEMA)
    if (before > 0 && before < STEPS_WITH_PEOPLE) adoptNames(sql, Date.now())
  })
  const access = new HomeCameraAccess(sql)
  return { ctx, env, sql, access, feed: new FeedSockets(ctx, env, access) }
}
