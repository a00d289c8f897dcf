import { createHash, createHmac } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { factorKeys } from '../platform/crypto/rotating-keys.ts'
import type { Env } from '../env.ts'

const DAY_MS = 86_400_000
/** How long a visit is kept. */
const KEEP_DAYS = 400
/** Visits of one day that are kept; what comes on top is not, so that nobody fills the database. */
const DAY_MAX = 20_000

/** The day in UTC of `now`, ms UTC. */
const formatDay = (now: number) => new Date(now).toISOString().slice(0, 10)

/** What a person is kept under: the hash by itself could be found in a list of e-mails. */
function keyed(secret: string, person: string): string {
  const key = createHmac('sha256', secret).update('revenue visits').digest()
  return createHmac('sha256', key).update(person).digest('hex')
}

/** All that visits of the account with this e-mail, spelled as accounts are, are kept under: one name for each key there has been, the newest first. */
export function listPersonKeys(env: Env, email: string): string[] {
  const person = createHash('sha256').update(email).digest('hex')
  return factorKeys(env).map((key) => keyed(key, person))
}

/** Notes that the person, a hash of an e-mail, was here on the day of `now`, ms UTC; answers whether that is new. */
export async function storeVisit(env: Env, person: string, now: number): Promise<boolean> {
  const { meta } = await env.DB.prepare(
    `INSERT INTO revenue_visits (person, day) SELECT ?1, ?2
     WHERE (SELECT count(*) FROM revenue_visits WHERE day = ?2) < ?3 ON CONFLICT DO NOTHING`,
  )
    .bind(keyed(env.FACTOR_KEY, person), formatDay(now), DAY_MAX)
    .run()
  return meta.changes > 0
}

/** Deletes visits that are too old at `now`, ms UTC; answers whether any are left. */
export async function dropOldVisits(db: D1Database, now: number): Promise<boolean> {
  await db
    .prepare('DELETE FROM revenue_visits WHERE day < ?')
    .bind(formatDay(now - KEEP_DAYS * DAY_MS))
    .run()
  return (await db.prepare('SELECT 1 AS one FROM revenue_visits LIMIT 1').first()) !== null
}

/** Forgets the visits of the account with this e-mail. */
export async function deleteVisits(env: Env, email: string): Promise<void> {
  await env.DB.prepare('DELETE FROM revenue_visits WHERE person IN (SELECT value FROM json_each(?))')
    .bind(JSON.stringify(listPersonKeys(env, email)))
    .run()
}
