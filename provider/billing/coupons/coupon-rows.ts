import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import type { DemoCoupon } from '../../../contract/operator/demo-coupons.ts'
import { id } from '../../../contract/wire/envelope.ts'
import { SKUS } from '../../../contract/billing/skus.ts'
import { readJson, strings } from '../../../contract/wire/lenient-parse.ts'
import type { Coupon, CouponBenefit } from './coupon-rules.ts'

/** What exists once for everybody is reserved for so long. */
export const HOLD_MS = 900_000

const kind = v.picklist(['percent', 'amount', 'free_months', 'credit', 'bonus'])
const gift = v.object({ option_id: id, kind, sku: v.nullable(v.picklist(SKUS)), value: v.number() })
const gifts = v.pipe(v.array(gift), v.minLength(1))
const row = v.object({
  ...{ code: v.string(), kind, sku: v.nullable(v.picklist(SKUS)), value: v.number() },
  ...{ options: v.nullable(v.string()), new_only: v.number(), emails: v.nullable(v.string()) },
  ...{ max_uses: v.nullable(v.number()), until: v.nullable(v.number()), always: v.nullable(v.string()) },
})

/** A coupon by its code in any case; null: there is none, or its row cannot be read. */
export async function findCouponByCode(db: D1Database, code: string): Promise<Coupon | null> {
  const found = await db.prepare('SELECT * FROM coupons WHERE code = ?').bind(code).first()
  const parsed = v.safeParse(row, found)
  if (!parsed.success) return null
  const { options, new_only, emails, max_uses, ...rest } = parsed.output
  const only: CouponBenefit = { option_id: rest.kind, kind: rest.kind, sku: rest.sku, value: rest.value }
  const all = options === null ? [only] : readJson(gifts, options)
  // Whom a coupon is for is never guessed: without its list it is for nobody.
  const select = emails === null ? null : (readJson(strings, emails) ?? [])
  const { code: written, until, always } = rest
  if (!all) return null
  return { code: written, gifts: all, newOnly: new_only === 1, emails: select, maxUses: max_uses, until, always }
}

/** Whether all uses of the coupon are taken by others at `now`, of those that are used or reserved. */
export async function isUsedUp(db: D1Database, coupon: Coupon, userId: string, now: number): Promise<boolean> {
  if (coupon.maxUses === null) return false
  const row = await db
    .prepare(
      `SELECT count(*) AS taken FROM coupon_holds WHERE code = ?1 AND user_id <> ?2 AND (state = 'used' OR expires_at > ?3)`,
    )
    .bind(coupon.code, userId, now)
    .first<{ taken: number }>()
  return (row?.taken ?? 0) >= coupon.maxUses
}

export interface Hold {
  readonly intent: string
  readonly state: 'held' | 'used'
  /** ms UTC; null once it is used. */
  readonly expires_at: number | null
}

export async function findHold(db: D1Database, code: string, userId: string): Promise<Hold | null> {
  return await db
    .prepare('SELECT intent, state, expires_at FROM coupon_holds WHERE code = ? AND user_id = ?')
    .bind(code, userId)
    .first<Hold>()
}

/** Stands for the intent of a hold that several intents of the account share: none of them frees it, only time does. */
const SHARED = ''

/**
 * Reserves the coupon in one statement, so that of two accounts that ask at once one has the last use. An account that holds it for
 * another intent shares it with this one; what it has used stays used. False: there is nothing left of it.
 */
export async function putHold(
  db: D1Database,
  code: string,
  { userId, intent }: { userId: string; intent: string },
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT INTO coupon_holds (code, user_id, intent, state, expires_at)
       SELECT code, ?2, ?3, 'held', ?4 + ${HOLD_MS} FROM coupons WHERE code = ?1 AND (max_uses IS NULL OR max_uses > (
         SELECT count(*) FROM coupon_holds AS other
         WHERE other.code = ?1 AND other.user_id <> ?2 AND (other.state = 'used' OR other.expires_at > ?4)))
       ON CONFLICT (code, user_id) DO UPDATE SET
         intent = iif(state = 'held' AND intent <> ?3 AND expires_at > ?4, '${SHARED}', ?3),
         expires_at = iif(state = 'held', ?4 + ${HOLD_MS}, NULL)
         WHERE state = 'held' OR intent = ?3`,
    )
    .bind(code, userId, intent, now)
    .run()
  return meta.changes > 0
}

/** Frees what the intent has reserved and not used. */
export async function dropHold(db: D1Database, code: string, userId: string, intent: string): Promise<void> {
  await db
    .prepare(`DELETE FROM coupon_holds WHERE code = ? AND user_id = ? AND intent = ? AND state = 'held'`)
    .bind(code, userId, intent)
    .run()
}

/** Accounts whose time for a coupon with few uses is over, of which nobody knows here whether they have used it. */
export async function overdueHolders(db: D1Database, code: string, now: number): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT user_id FROM coupon_holds JOIN coupons USING (code)
       WHERE code = ? AND max_uses IS NOT NULL AND state = 'held' AND expires_at <= ? ORDER BY expires_at DESC LIMIT 20`,
    )
    .bind(code, now)
    .all<{ user_id: string }>()
  return results.map(({ user_id }) => user_id)
}

/** Goes on reserving what the account has reserved for so long that it would be free. */
export async function extendOverdueHold(db: D1Database, code: string, userId: string, now: number): Promise<void> {
  await db
    .prepare(
      `UPDATE coupon_holds SET expires_at = ?3 + ${HOLD_MS} WHERE code = ?1 AND user_id = ?2 AND state = 'held' AND expires_at <= ?3`,
    )
    .bind(code, userId, now)
    .run()
}

/** Frees what the account has reserved for too long. */
export async function dropOverdue(db: D1Database, code: string, userId: string, now: number): Promise<void> {
  await db
    .prepare(`DELETE FROM coupon_holds WHERE code = ? AND user_id = ? AND state = 'held' AND expires_at <= ?`)
    .bind(code, userId, now)
    .run()
}

export async function markHoldUsed(db: D1Database, code: string, userId: string): Promise<void> {
  await db
    .prepare(`UPDATE coupon_holds SET state = 'used', expires_at = NULL WHERE code = ? AND user_id = ?`)
    .bind(code, userId)
    .run()
}

/** Adds the coupons that are missing. */
export async function addCoupons(db: D1Database, coupons: readonly DemoCoupon[]): Promise<void> {
  const add = ({ code, gives, always }: DemoCoupon) => {
    const options = gives.map((benefit, at) => ({ option_id: `${at + 1}-${benefit.kind}`, ...benefit }))
    const [{ kind, sku, value }] = gives
    return db
      .prepare(`INSERT OR IGNORE INTO coupons (code, kind, sku, value, options, always) VALUES (?, ?, ?, ?, ?, ?)`)
      .bind(...[code, kind, sku, value], ...[gives.length > 1 ? JSON.stringify(options) : null, always ?? null])
  }
  await db.batch(coupons.map(add))
}
