import type { InferOutput } from 'valibot'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { ChangeCode } from '../../../contract/billing/change-codes.ts'
import type { createPurchase, previewPurchase, PurchaseOutcome, Quote } from '../../../contract/billing/purchase.ts'
import { badRequest, ApiError, tooManyRequests } from '../../platform/api-error.ts'
import type { Env } from '../../env.ts'
import { countAttempt, type AttemptLimit } from '../../platform/rate-limits/attempt-limits.ts'
import type { PurchaseResult, PurchaseRequest } from '../ledger/ledger-calls.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import { unwrapLedgerResult, getLedgerStub } from '../ledger/ledger-stub.ts'
import { openQuote } from '../ledger/sealed-quotes.ts'
import { resolveDiscount, holdCoupon, shouldReleaseHold, releaseCoupon } from '../coupons/coupon-service.ts'
import { isOnSale } from './plan-availability.ts'
import { listAssignableCameras } from '../../homes/members/owned-cameras.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

type PreviewRequest = InferOutput<typeof previewPurchase.request>
type CreateRequest = InferOutput<typeof createPurchase.request>
type PlanChoice = Pick<CreateRequest, 'sku' | 'level' | 'mode' | 'quantity'>
interface ChangedSubscription {
  readonly subscription_id: string
  readonly revision: number
}

export interface Buyer {
  readonly userId: string
  readonly now: number
}

/**
 * Returns the rate limits of purchases per account. A purchase counts if it was declined or may still be declined, or
 * if its coupon cannot be reserved. A repeated idempotency key does not count.
 */
const getPurchaseLimits = (userId: string): AttemptLimit[] => [
  { name: userId, action: 'purchase', count: 20, windowMs: 600_000 },
  { name: userId, action: 'purchase-day', count: 100, windowMs: DAY_MS },
]

function requireGateway(env: Env): void {
  if (selectGateway(env) === null) throw new ApiError('not_sold', 400, 'Purchases aren’t available in this portal.')
}

function toOrderRequest(env: Env, { sku, level, mode, quantity }: PlanChoice, changes: ChangedSubscription | null) {
  const { tier, per } = getPlan(sku)
  if (!isOnSale(sku, env)) throw new ApiError('not_sold', 400, `${getPlan(sku).name} isn’t available.`)
  if (level !== (tier ?? '')) throw badRequest('The level doesn’t match the plan.')
  if (per !== 'camera' && quantity !== 1) throw badRequest('This plan covers the whole home, so you only need one.')
  return { sku, period: mode, quantity, changes }
}

/** Returns a sealed quote for the order, which is valid for ten minutes. */
export async function handlePreview(env: Env, { userId, now }: Buyer, input: PreviewRequest): Promise<Quote> {
  requireGateway(env)
  const { subscription_id, revision, coupon, quantity = null, changes_own: changesOwn } = input
  if ((subscription_id === undefined) !== (revision === undefined))
    throw badRequest('A plan change needs subscription_id and revision.')
  if (changesOwn && subscription_id !== undefined) throw badRequest('Send changes_own or subscription_id, not both.')
  const named = subscription_id === undefined || revision === undefined ? null : { subscription_id, revision }
  const order = toOrderRequest(env, { ...input, quantity: quantity ?? 1 }, named)
  const discount = coupon === undefined ? null : await resolveDiscount(env, userId, coupon, order, now)
  const request = { ...order, quantity, discount, isTrial: input.trial, changes: changesOwn ? ('own' as const) : named }
  return unwrapLedgerResult(await getLedgerStub(env, userId).preview(request, now))
}

/** Places the order of a quote. `change`: plan change to make; null for a new purchase. */
export async function handlePurchase(
  env: Env,
  { userId, now }: Buyer,
  input: CreateRequest & Partial<ChangedSubscription>,
  change: ChangeCode | null,
): Promise<PurchaseOutcome> {
  requireGateway(env)
  const { intent, quote, method_id: methodId, cameras, subscription_id = '', revision = 0 } = input
  const order = toOrderRequest(env, input, change === null ? null : { subscription_id, revision })
  const own = cameras.length > 0 ? await listAssignableCameras(env, userId) : []
  const purchaseRequest: PurchaseRequest = { intent, quote, wanted: order, change, methodId, cameras, own }
  const ledger = getLedgerStub(env, userId)
  // If the ledger already has the idempotency key, the request is a repetition and needs no coupon hold.
  if (await ledger.hasIntent(intent, now)) return unwrapLedgerResult(await ledger.purchase(purchaseRequest, now))
  const attempt = await countAttempt(env, getPurchaseLimits(userId), now)
  if (attempt.waitMs > 0) throw tooManyRequests(attempt.waitMs)
  const code = await holdQuoteCoupon(env, { userId, now }, purchaseRequest)
  const result = await ledger.purchase(purchaseRequest, now)
  if (!mayBeDeclined(result)) await attempt.markSucceeded()
  if (result.state === 'refused' && code !== null && shouldReleaseHold(result))
    await releaseCoupon(env, code, userId, intent)
  return unwrapLedgerResult(result)
}

/** Returns true if the bank has declined the purchase (402), or may still decline it (`pending`, or no answer: 503). */
const mayBeDeclined = (result: PurchaseResult): boolean =>
  result.state === 'pending' || (result.state === 'refused' && (result.status === 402 || result.status === 503))

async function holdQuoteCoupon(
  env: Env,
  { userId, now }: Buyer,
  { quote, intent }: PurchaseRequest,
): Promise<string | null> {
  const quoteContent = await openQuote(env.TICKET_KEY, userId, quote)
  const code = quoteContent?.discount?.code ?? null
  if (code !== null && !(await holdCoupon(env, code, userId, intent, now))) throw new ApiError(4101, 409)
  return code
}
