import { createHash, createHmac } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { factorKeys } from '../platform/crypto/rotating-keys.ts'
import type { Env } from '../env.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const RETENTION_DAYS = 400
/** Maximum number of visits stored per day; the rest are discarded, so that no client can fill the database. */
const MAX_VISITS_PER_DAY = 20_000

const formatDay = (now: number) => new Date(now).toISOString().slice(0, 10)

/** Returns the HMAC that identifies a visitor. An unkeyed hash could be matched against a list of email addresses. */
function hashVisitor(secret: string, person: string): string {
  const key = createHmac('sha256', secret).update('revenue visits').digest()
  return createHmac('sha256', key).update(person).digest('hex')
}

/**
 * Returns the keys under which visits of this account may be stored: one for the current secret and one for each
 * previous secret. Expects the email exactly as the account stores it.
 */
export function listVisitorHashes(env: Env, email: string): string[] {
  const person = createHash('sha256').update(email).digest('hex')
  return factorKeys(env).map((key) => hashVisitor(key, person))
}

/**
 * Stores a visit of a person (hash of an email address) on the UTC day of `now` (ms UTC). Returns false if the visit is
 * already stored, or if the day has `MAX_VISITS_PER_DAY` visits.
 */
export async function storeVisit(env: Env, person: string, now: number): Promise<boolean> {
  const { meta } = await env.DB.prepare(
    `INSERT INTO revenue_visits (person, day) SELECT ?1, ?2
     WHERE (SELECT count(*) FROM revenue_visits WHERE day = ?2) < ?3 ON CONFLICT DO NOTHING`,
  )
    .bind(hashVisitor(env.FACTOR_KEY, person), formatDay(now), MAX_VISITS_PER_DAY)
    .run()
  return meta.changes > 0
}

/**
 * Returns true for the first visits of a UTC day. Only they schedule the deletion of expired visits, so that not every
 * visit calls the same Durable Object. `now` in ms UTC.
 */
export async function hasFewVisits(db: D1Database, now: number): Promise<boolean> {
  const query = 'SELECT count(*) AS n FROM (SELECT 1 FROM revenue_visits WHERE day = ? LIMIT 11)'
  return ((await db.prepare(query).bind(formatDay(now)).first<number>('n')) ?? 0) <= 10
}

/** Deletes visits that have expired at `now` (ms UTC). Returns true if any are left. */
export async function deleteExpiredVisits(db: D1Database, now: number): Promise<boolean> {
  await db
    .prepare('DELETE FROM revenue_visits WHERE day < ?')
    .bind(formatDay(now - RETENTION_DAYS * DAY_MS))
    .run()
  return (await db.prepare('SELECT 1 AS one FROM revenue_visits LIMIT 1').first()) !== null
}

export async function deleteVisits(env: Env, email: string): Promise<void> {
  await env.DB.prepare('DELETE FROM revenue_visits WHERE person IN (SELECT value FROM json_each(?))')
    .bind(JSON.stringify(listVisitorHashes(env, email)))
    .run()
}
