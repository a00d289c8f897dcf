import type { Hono } from 'hono'
import { collections, people } from '../../contract/faces.ts'
import type { AppEnv, Env } from '../env.ts'
import { homeStub } from '../access/home-stub.ts'
import { seenHomes } from '../access/lookup.ts'
import { plannedHomes } from '../plans/rows.ts'
import { notFound } from '../base/refusal.ts'
import { serve } from '../http/serve.ts'

/** Mounts the calls about known faces (CALL-57, CALL-58); a home has one collection, which goes by the home's id. */
export function faceRoutes(app: Hono<AppEnv>): void {
  serve(app, collections, async ({ env, account }) => ({ collections: await collectionsOf(env, account.userId) }))
  serve(app, people, async ({ env, account, params, now }) => {
    const homes = await plannedHomes(env, account.userId)
    const home = homes.find(({ home_id }) => home_id === params['collection_id'])
    if (!home) throw notFound()
    const asker = { userId: account.userId, plans: home.plans, now }
    return { people: await homeStub(env, home.home_id).people(asker) }
  })
}

async function collectionsOf(env: Env, userId: string) {
  const ids = (await seenHomes(env, userId)).map(({ home_id }) => home_id)
  const { results } = await env.DB.prepare(
    `SELECT home_id AS collection_id, name FROM json_each(?) AS seen JOIN homes ON home_id = seen.value ORDER BY seen.key`,
  )
    .bind(JSON.stringify(ids))
    .all<{ collection_id: string; name: string }>()
  return results
}
