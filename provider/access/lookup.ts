import { FREE_DAYS, PLANS } from '../../contract/catalogue.ts'
import { OWNER } from '../../contract/roles.ts'
import type { Env } from '../env.ts'

export interface Membership {
  home_id: string
  /** See contract/roles.ts. */
  role: number
  name: string
}

/** Homes of the account, its own first. */
export async function homesOf(env: Env, userId: string): Promise<Membership[]> {
  const { results } = await env.DB.prepare(
    `SELECT home_id, role, name FROM home_members JOIN homes USING (home_id)
     WHERE user_id = ? ORDER BY role, created_at, home_id`,
  )
    .bind(userId)
    .all<Membership>()
  return results
}

/** Paid camera plans: sku, how many days they keep what is recorded, whether they include the search, and what one is for. */
export const PAID_PLANS = JSON.stringify(
  PLANS.flatMap(({ sku, tier, keepsDays, search, per }) =>
    (tier ?? 0) > 0 ? [[sku, keepsDays, search ? 1 : 0, per]] : [],
  ),
)

/** SQL of the most that a paid plan of the home's owner has there, null without one that has not ended; `?2` is the time, `?3` `PAID_PLANS`. */
const paidMost = (at: number) => `(SELECT max(json_extract(value, '$[${at}]')) FROM home_members AS own
  JOIN subscriptions ON subscriptions.user_id = own.user_id JOIN json_each(?3) ON json_extract(value, '$[0]') = sku
  WHERE own.home_id = homes.home_id AND own.role = ${OWNER} AND (status = 'active' OR renews_at > ?2))`
const PAID_DAYS = paidMost(1)

/** Whether the home has a plan that keeps the event types which the free view leaves out. */
export async function isPaid(env: Env, homeId: string, now: number): Promise<boolean> {
  const days = await env.DB.prepare(`SELECT ${PAID_DAYS} AS days FROM homes WHERE home_id = ?1`)
    .bind(homeId, now, PAID_PLANS)
    .first<number | null>('days')
  return days !== null
}

/** How many days the home keeps what is recorded; null when nobody owns it. */
export async function keptDays(env: Env, homeId: string, now: number): Promise<number | null> {
  const home = await env.DB.prepare(
    `SELECT ${PAID_DAYS} AS days FROM homes JOIN home_members USING (home_id)
     WHERE homes.home_id = ?1 AND home_members.role = ${OWNER} LIMIT 1`,
  )
    .bind(homeId, now, PAID_PLANS)
    .first<{ days: number | null }>()
  return home && (home.days ?? FREE_DAYS)
}

export interface SeenHome {
  home_id: string
  /** The account's role there; null where it only sees cameras that are shared with it. */
  role: number | null
  /** See `isPaid`. */
  paid: boolean
  /** How many days it keeps what is recorded. */
  days: number
  /** Whether a plan of its owner includes the search. */
  search: boolean
}

/** SQL of the homes of which the account `?1` sees anything: its own, those it belongs to, those that share a camera with it. */
export const SEEN_HOMES = `SELECT homes.home_id, role FROM homes
  LEFT JOIN home_members ON home_members.home_id = homes.home_id AND home_members.user_id = ?1
  WHERE homes.home_id IN (SELECT home_id FROM home_members WHERE user_id = ?1
    UNION SELECT shares.home_id FROM shares JOIN devices USING (device_id, home_id) WHERE shares.user_id = ?1)
  ORDER BY role IS NULL, role, homes.created_at, homes.home_id`

/** Homes of which the account sees anything: its own, those it belongs to, those that share a camera with it. */
export async function seenHomes(env: Env, userId: string): Promise<SeenHome[]> {
  const { results } = await env.DB.prepare(
    `SELECT homes.home_id, role, ${PAID_DAYS} AS days, ${paidMost(2)} AS search FROM homes
     LEFT JOIN home_members ON home_members.home_id = homes.home_id AND home_members.user_id = ?1
     WHERE homes.home_id IN (SELECT home_id FROM home_members WHERE user_id = ?1
       UNION SELECT shares.home_id FROM shares JOIN devices USING (device_id, home_id) WHERE shares.user_id = ?1)
     ORDER BY role IS NULL, role, homes.created_at, homes.home_id`,
  )
    .bind(userId, Date.now(), PAID_PLANS)
    .all<{ home_id: string; role: number | null; days: number | null; search: number | null }>()
  return results.map((home) => ({
    ...home,
    paid: home.days !== null,
    days: home.days ?? FREE_DAYS,
    search: home.search === 1,
  }))
}
