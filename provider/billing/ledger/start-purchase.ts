import type { Order } from '../../../contract/billing/purchase.ts'
import type { QuoteContent } from '../../platform/tickets/quote-ticket.ts'
import type { QuoteTerms } from '../pricing/quote.ts'
import type { PurchaseRequest, LedgerError, OrderRequest } from './ledger-calls.ts'
import { recordPurchase } from './record-purchase.ts'
import { abandonCharge, hasChargeInProgress, listOpenCharges, putCharge } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { findReuseError } from './redemption.ts'
import { hashBody, storeIdempotentResult } from './idempotency-keys.ts'
import type { MethodRecord } from './record-schemas.ts'
import {
  createAccountDeletedError,
  createBusyError,
  createIntentUsedError,
  isLedgerError,
  createLedgerError,
} from './errors.ts'
import { buildOrderTerms } from './order-terms.ts'

/** Result of starting a purchase. `requote`: the terms have changed, and the buyer must confirm the new terms first. */
export type PurchaseStart =
  | LedgerError
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'charge'; readonly charge_id: string }
  | { readonly state: 'requote'; readonly sealed: QuoteContent }

export function createQuote(ctx: LedgerContext, request: OrderRequest, now: number): QuoteContent | LedgerError {
  if (ctx.book.isEnded()) return createAccountDeletedError()
  const terms =
    (request.discount && findReuseError(ctx.book, request.discount.code)) ?? buildOrderTerms(ctx, request, now)
  if (isLedgerError(terms)) return terms
  const { book } = ctx
  const { discount, changes } = request
  return { user: book.account, book: book.getCounter('revision'), terms, discount, changes, exp: terms.expires_at }
}

/** Starts a purchase, or joins the purchase that its idempotency key has started. Must run inside a transaction. */
export function startPurchase(
  ctx: LedgerContext,
  request: PurchaseRequest,
  quoteContent: QuoteContent | null,
  now: number,
): PurchaseStart {
  const hash = hashBody({ ...request, own: undefined })
  const stored = ctx.book.get('intent', request.intent)
  if (stored && stored.hash !== hash) return createIntentUsedError()
  if (stored && stored.answer !== null) return stored.answer as PurchaseStart
  const openCharges = listOpenCharges(ctx.book)
  const ownCharge = openCharges.find(({ intent }) => intent === request.intent)
  if (ownCharge && !ownCharge.parked) return { state: 'charge', charge_id: ownCharge.charge_id }
  if (hasChargeInProgress(ctx.book)) return createBusyError()
  for (const parkedCharge of openCharges) abandonCharge(ctx.book, parkedCharge, now)
  const currentQuote = createQuote(ctx, toOrderRequest(request, quoteContent), now)
  if (isLedgerError(currentQuote)) return currentQuote
  if (quoteContent === null || !isQuoteValid(quoteContent, currentQuote, request, now))
    return { state: 'requote', sealed: currentQuote }
  return placeOrder(
    ctx,
    request,
    { hash, sealed: quoteContent, charge_id: ownCharge?.charge_id ?? ctx.newId('order') },
    now,
  )
}

function toOrderRequest(request: PurchaseRequest, quoteContent: QuoteContent | null): OrderRequest {
  return { ...request.wanted, discount: quoteContent?.discount ?? null, isTrial: quoteContent?.terms.is_trial ?? false }
}

function isQuoteValid(
  quoteContent: QuoteContent,
  currentQuote: QuoteContent,
  request: PurchaseRequest,
  now: number,
): boolean {
  const { terms } = quoteContent
  const isSamePlan = (a: QuoteTerms, b: QuoteTerms) =>
    a.sku === b.sku && a.period === b.period && a.quantity === b.quantity
  const isSameOrder =
    isSamePlan(terms, currentQuote.terms) &&
    JSON.stringify(quoteContent.changes) === JSON.stringify(currentQuote.changes)
  const isSameChange = request.change === null ? quoteContent.changes === null : request.change === terms.change
  const isSameCurrency = terms.currency === currentQuote.terms.currency
  const isSamePrice =
    isSameCurrency &&
    terms.tax_basis_points === currentQuote.terms.tax_basis_points &&
    serializeUnits(terms) === serializeUnits(currentQuote.terms)
  return isSameOrder && isSameChange && isSamePrice && quoteContent.book === currentQuote.book && quoteContent.exp > now
}

const serializeUnits = (terms: QuoteTerms) =>
  JSON.stringify([terms.lines.map(({ kind, unit }) => [kind, unit]), terms.next?.total])

interface PreparedOrder {
  readonly hash: string
  readonly sealed: QuoteContent
  readonly charge_id: string
}

function placeOrder(
  ctx: LedgerContext,
  request: PurchaseRequest,
  { hash, sealed, charge_id }: PreparedOrder,
  now: number,
): PurchaseStart {
  const { book } = ctx
  const { intent, cameras, own = cameras } = request
  const { due } = sealed.terms
  const method: MethodRecord | null = request.methodId === null ? null : book.get('method', request.methodId)
  if (due > 0 && method === null) return createLedgerError('no_method', 409, 'Choose a payment method.')
  if (due === 0 || method === null) {
    const order = recordPurchase(ctx, { intent, order_id: charge_id, sealed, cameras, own, method }, now)
    const result = { state: 'done' as const, order }
    storeIdempotentResult(book, intent, { hash, answer: result }, now)
    return result
  }
  storeIdempotentResult(book, intent, { hash, answer: null }, now)
  putCharge(book, {
    charge_id,
    intent,
    state: 'written',
    begun_at: now,
    cents: due,
    currency: sealed.terms.currency,
    token: method.token,
    method_id: method.method_id,
    heard: false,
    parked: false,
    stuck: false,
    charge: null,
    declined: null,
    job: { kind: 'purchase', sealed, change: request.change, cameras: [...cameras], own: [...own] },
    asked_at: now,
  })
  return { state: 'charge', charge_id }
}
