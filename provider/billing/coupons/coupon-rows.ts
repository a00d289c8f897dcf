import type { D1Database } from '@cloudflare/workers-types'
import * as v from 'valibot'
import type { DemoCoupon } from '../../../contract/operator/demo-coupons.ts'
import { id } from '../../../contract/wire/envelope.ts'
import { SKUS } from '../../../contract/billing/skus.ts'
import { parseJsonAs, lenientStrings } from '../../../contract/wire/lenient-parse.ts'
import type { Coupon, CouponBenefit } from './coupon-rules.ts'

export const HOLD_DURATION_MS = 900_000

const kind = v.picklist(['percent', 'amount', 'free_months', 'credit', 'bonus'])
const benefitSchema = v.object({ option_id: id, kind, sku: v.nullable(v.picklist(SKUS)), value: v.number() })
const benefitsSchema = v.pipe(v.array(benefitSchema), v.minLength(1))
const couponRow = v.object({
  code: v.string(),
  kind,
  sku: v.nullable(v.picklist(SKUS)),
  value: v.number(),
  options: v.nullable(v.string()),
  new_only: v.number(),
  emails: v.nullable(v.string()),
  max_uses: v.nullable(v.number()),
  until: v.nullable(v.number()),
  always: v.nullable(v.string()),
})

/** Returns a coupon by its case-insensitive code; null if there is none or its row cannot be read. */
export async function findCouponByCode(db: D1Database, code: string): Promise<Coupon | null> {
  const found = await db.prepare('SELECT * FROM coupons WHERE code = ?').bind(code).first()
  const parsed = v.safeParse(couponRow, found)
  if (!parsed.success) return null
  const { options, new_only, emails, max_uses, ...rest } = parsed.output
  const singleBenefit: CouponBenefit = { option_id: rest.kind, kind: rest.kind, sku: rest.sku, value: rest.value }
  const benefits = options === null ? [singleBenefit] : parseJsonAs(benefitsSchema, options)
  // If the list of recipients is unreadable, the coupon is for no account, not for all.
  const recipients = emails === null ? null : (parseJsonAs(lenientStrings, emails) ?? [])
  const { code: written, until, always } = rest
  if (!benefits) return null
  return {
    code: written,
    gifts: benefits,
    newOnly: new_only === 1,
    emails: recipients,
    maxUses: max_uses,
    until,
    always,
  }
}

/** Returns true if other accounts have used or reserved all uses of the coupon at `now`. */
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

export interface CouponHold {
  readonly intent: string
  readonly state: 'held' | 'used'
  /** End of the reservation, ms UTC; null once the coupon is used. */
  readonly expires_at: number | null
}

export async function findHold(db: D1Database, code: string, userId: string): Promise<CouponHold | null> {
  return await db
    .prepare('SELECT intent, state, expires_at FROM coupon_holds WHERE code = ? AND user_id = ?')
    .bind(code, userId)
    .first<CouponHold>()
}

/**
 * Stored instead of the idempotency key if requests of the account with different keys share a hold. No single request
 * can release such a hold.
 */
const MULTIPLE_INTENTS = ''

/**
 * Reserves the coupon in one statement, so that only one of two concurrent accounts gets the last use. Requests of one
 * account with different idempotency keys share one hold. Returns false if no use is left, or if another request of the
 * account has used the coupon.
 */
export async function reserveCoupon(
  db: D1Database,
  code: string,
  { userId, intent }: { userId: string; intent: string },
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT INTO coupon_holds (code, user_id, intent, state, expires_at)
       SELECT code, ?2, ?3, 'held', ?4 + ${HOLD_DURATION_MS} FROM coupons WHERE code = ?1 AND (max_uses IS NULL OR max_uses > (
         SELECT count(*) FROM coupon_holds AS other
         WHERE other.code = ?1 AND other.user_id <> ?2 AND (other.state = 'used' OR other.expires_at > ?4)))
       ON CONFLICT (code, user_id) DO UPDATE SET
         intent = iif(state = 'held' AND intent <> ?3 AND expires_at > ?4, '${MULTIPLE_INTENTS}', ?3),
         expires_at = iif(state = 'held', ?4 + ${HOLD_DURATION_MS}, NULL)
         WHERE state = 'held' OR intent = ?3`,
    )
    .bind(code, userId, intent, now)
    .run()
  return meta.changes > 0
}

/** Releases the hold of an idempotency key, unless the coupon was used. */
export async function releaseHold(db: D1Database, code: string, userId: string, intent: string): Promise<void> {
  await db
    .prepare(`DELETE FROM coupon_holds WHERE code = ? AND user_id = ? AND intent = ? AND state = 'held'`)
    .bind(code, userId, intent)
    .run()
}

/**
 * Returns up to 20 accounts whose hold of the coupon has expired; none if the coupon has no limit of uses. The ledger
 * of each account must then decide whether the account used the coupon.
 */
export async function listExpiredHolders(db: D1Database, code: string, now: number): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT user_id FROM coupon_holds JOIN coupons USING (code)
       WHERE code = ? AND max_uses IS NOT NULL AND state = 'held' AND expires_at <= ? ORDER BY expires_at DESC LIMIT 20`,
    )
    .bind(code, now)
    .all<{ user_id: string }>()
  return results.map(({ user_id }) => user_id)
}

export async function extendExpiredHold(db: D1Database, code: string, userId: string, now: number): Promise<void> {
  await db
    .prepare(
      `UPDATE coupon_holds SET expires_at = ?3 + ${HOLD_DURATION_MS} WHERE code = ?1 AND user_id = ?2 AND state = 'held' AND expires_at <= ?3`,
    )
    .bind(code, userId, now)
    .run()
}

export async function deleteExpiredHold(db: D1Database, code: string, userId: string, now: number): Promise<void> {
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

export async function addCoupons(db: D1Database, coupons: readonly DemoCoupon[]): Promise<void> {
  const add = ({ code, gives, always }: DemoCoupon) => {
    const options = gives.map((benefit, at) => ({ option_id: `${at + 1}-${benefit.kind}`, ...benefit }))
    const [{ kind, sku, value }] = gives
    return db
      .prepare(`INSERT OR IGNORE INTO coupons (code, kind, sku, value, options, always) VALUES (?, ?, ?, ?, ?, ?)`)
      .bind(code, kind, sku, value, gives.length > 1 ? JSON.stringify(options) : null, always ?? null)
  }
  await db.batch(coupons.map(add))
}
