import type { Order } from '../../../contract/billing/purchase.ts'
import type { SealedQuote } from '../../platform/tickets/quote-ticket.ts'
import type { Terms } from '../pricing/quote.ts'
import type { PurchaseRequest, LedgerError, OrderRequest } from './ledger-calls.ts'
import { bookPurchase } from './record-purchase.ts'
import { abandonCharge, isBusy, openCharges, putCharge } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { usedBefore } from './redemption.ts'
import { hashBody, storeIdempotentResult } from './idempotency-keys.ts'
import type { MethodRecord } from './record-schemas.ts'
import { accountGone, busy, intentUsed, isRefused, ledgerError } from './errors.ts'
import { buildOrderTerms } from './order-terms.ts'

/** Result of starting a purchase. `requote`: the terms have changed, and the buyer must confirm the new terms first. */
export type PurchaseStart =
  | LedgerError
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'charge'; readonly charge_id: string }
  | { readonly state: 'requote'; readonly sealed: SealedQuote }

export function quoteFor(ctx: LedgerContext, request: OrderRequest, now: number): SealedQuote | LedgerError {
  if (ctx.book.isEnded()) return accountGone()
  const terms = (request.discount && usedBefore(ctx.book, request.discount.code)) ?? buildOrderTerms(ctx, request, now)
  if (isRefused(terms)) return terms
  const { book } = ctx
  const { discount, changes } = request
  return { user: book.account, book: book.count('revision'), terms, discount, changes, exp: terms.expires_at }
}

/** Starts a purchase, or joins the one that its idempotency key has started. One transaction. */
export function startPurchase(
  ctx: LedgerContext,
  ask: PurchaseRequest,
  sealed: SealedQuote | null,
  now: number,
): PurchaseStart {
  const hash = hashBody({ ...ask, own: undefined })
  const stored = ctx.book.get('intent', ask.intent)
  if (stored && stored.hash !== hash) return intentUsed()
  if (stored && stored.answer !== null) return stored.answer as PurchaseStart
  const open = openCharges(ctx.book)
  const own = open.find(({ intent }) => intent === ask.intent)
  if (own && !own.parked) return { state: 'charge', charge_id: own.charge_id }
  if (isBusy(ctx.book)) return busy()
  for (const left of open) abandonCharge(ctx.book, left, now)
  const fresh = quoteFor(ctx, toOrderRequest(ask, sealed), now)
  if (isRefused(fresh)) return fresh
  if (sealed === null || !isGood(sealed, fresh, ask, now)) return { state: 'requote', sealed: fresh }
  return placeOrder(ctx, ask, { hash, sealed, charge_id: own?.charge_id ?? ctx.newId('order') }, now)
}

function toOrderRequest(ask: PurchaseRequest, sealed: SealedQuote | null): OrderRequest {
  return { ...ask.wanted, discount: sealed?.discount ?? null, isTrial: sealed?.terms.is_trial ?? false }
}

/** Returns true if the quote is still valid and matches the request. */
function isGood(sealed: SealedQuote, fresh: SealedQuote, ask: PurchaseRequest, now: number): boolean {
  const { terms } = sealed
  const same = (a: Terms, b: Terms) => a.sku === b.sku && a.period === b.period && a.quantity === b.quantity
  const isFor = same(terms, fresh.terms) && JSON.stringify(sealed.changes) === JSON.stringify(fresh.changes)
  const isCode = ask.change === null ? sealed.changes === null : ask.change === terms.change
  const isCurrency = terms.currency === fresh.terms.currency
  const isPriced =
    isCurrency &&
    terms.tax_basis_points === fresh.terms.tax_basis_points &&
    serializeUnits(terms) === serializeUnits(fresh.terms)
  return isFor && isCode && isPriced && sealed.book === fresh.book && sealed.exp > now
}

const serializeUnits = (terms: Terms) =>
  JSON.stringify([terms.lines.map(({ kind, unit }) => [kind, unit]), terms.next?.total])

interface Ready {
  readonly hash: string
  readonly sealed: SealedQuote
  readonly charge_id: string
}

function placeOrder(
  ctx: LedgerContext,
  ask: PurchaseRequest,
  { hash, sealed, charge_id }: Ready,
  now: number,
): PurchaseStart {
  const { book } = ctx
  const { intent, cameras, own = cameras } = ask
  const { due } = sealed.terms
  const method: MethodRecord | null = ask.methodId === null ? null : book.get('method', ask.methodId)
  if (due > 0 && method === null) return ledgerError('no_method', 409, 'Choose how to pay.')
  if (due === 0 || method === null) {
    const order = bookPurchase(ctx, { intent, order_id: charge_id, sealed, cameras, own, method }, now)
    const answer = { state: 'done' as const, order }
    storeIdempotentResult(book, intent, { hash, answer }, now)
    return answer
  }
  storeIdempotentResult(book, intent, { hash, answer: null }, now)
  putCharge(book, {
    ...{ charge_id, intent, state: 'written', begun_at: now, cents: due, currency: sealed.terms.currency },
    ...{
      token: method.token,
      method_id: method.method_id,
      heard: false,
      parked: false,
      stuck: false,
      charge: null,
      declined: null,
    },
    job: { kind: 'purchase', sealed, change: ask.change, cameras: [...cameras], own: [...own] },
    asked_at: now,
  })
  return { state: 'charge', charge_id }
}
