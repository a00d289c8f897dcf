import type { Binding } from '../../contract/bind.ts'
import type { Subscription } from '../../contract/plans.ts'
import type { Env } from '../env.ts'
import { FREE_DAYS, PAID_PLANS, seenHomes } from '../access/lookup.ts'
import { OWNER } from '../../contract/roles.ts'
import { seenPlaces } from '../access/places.ts'

/** What covers a camera, the best of it first: `?1` ids of cameras, `?2` the time, `?3` `PAID_PLANS`. */
const COVERS = `
  WITH bound AS (
    SELECT device_id, subscription_id,
      row_number() OVER (PARTITION BY subscription_id ORDER BY bound_at, device_id) AS place FROM bindings
    WHERE subscription_id IN (SELECT subscription_id FROM bindings WHERE device_id IN (SELECT value FROM json_each(?1)))
  )
  SELECT devices.device_id, subscriptions.subscription_id, subscriptions.user_id, sku, per FROM devices
  JOIN home_members AS own ON own.home_id = devices.home_id AND own.role = ${OWNER}
  JOIN subscriptions ON subscriptions.user_id = own.user_id AND (status = 'active' OR renews_at > ?2)
  JOIN (SELECT json_extract(value, '$[0]') AS plan, json_extract(value, '$[1]') AS days, json_extract(value, '$[3]') AS per
    FROM json_each(?3)) ON plan = sku
  LEFT JOIN bound ON bound.device_id = devices.device_id AND bound.subscription_id = subscriptions.subscription_id
  WHERE devices.device_id IN (SELECT value FROM json_each(?1)) AND (per = 'home' OR place <= quantity)
  ORDER BY days DESC, subscriptions.created_at, subscriptions.subscription_id`

interface Cover {
  device_id: string
  subscription_id: string
  user_id: string
  sku: Subscription['sku']
  per: 'home' | 'camera'
}

/** Which plan covers each of these cameras, and which licence of the account it is bound to. */
export async function bindingsOf(env: Env, userId: string, ids: readonly string[], now: number): Promise<Binding[]> {
  const json = JSON.stringify(ids)
  const [places, homes, covers, bound] = await Promise.all([
    seenPlaces(env, userId, ids),
    seenHomes(env, userId),
    env.DB.prepare(COVERS).bind(json, now, PAID_PLANS).all<Cover>(),
    env.DB.prepare(
      `SELECT device_id, subscription_id FROM bindings JOIN subscriptions USING (subscription_id)
       WHERE user_id = ? AND device_id IN (SELECT value FROM json_each(?))`,
    )
      .bind(userId, json)
      .all<{ device_id: string; subscription_id: string }>(),
  ])
  return places.map(({ device_id, home_id }) => {
    const cover = covers.results.find((one) => one.device_id === device_id)
    return {
      device_mac: device_id,
      plan: cover ? planOf(cover, userId) : null,
      bound_to: bound.results.find((one) => one.device_id === device_id)?.subscription_id ?? null,
      keeps_days: homes.find((home) => home.home_id === home_id)?.days ?? FREE_DAYS,
    }
  })
}

function planOf({ subscription_id, user_id, sku, per }: Cover, userId: string): Binding['plan'] {
  return {
    subscription_id: user_id === userId ? subscription_id : null,
    sku,
    by: per === 'home' ? 'home' : 'licence',
  }
}
