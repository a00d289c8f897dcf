import type { Order } from '../../../contract/billing/purchase.ts'
import type { SealedQuote } from '../../platform/tickets/quote-ticket.ts'
import type { Terms } from '../pricing/quote.ts'
import type { PurchaseAsk, Refused, Wanted } from './ledger-calls.ts'
import { bookPurchase } from './record-purchase.ts'
import { dropCharge, isBusy, openCharges, putCharge } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { usedBefore } from './coupon-redemption.ts'
import { hashOf, remember } from './idempotency-keys.ts'
import type { MethodRecord } from './record-schemas.ts'
import { accountGone, busy, intentUsed, isRefused, refuse } from './errors.ts'
import { termsFor } from './order-terms.ts'

/** What became of the beginning of a purchase; `requote`: the page has to confirm these terms first. */
export type Begun =
  | Refused
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'charge'; readonly charge_id: string }
  | { readonly state: 'requote'; readonly sealed: SealedQuote }

/** The terms of what is wanted, ready to be sealed. */
export function quoteFor(ctx: LedgerContext, wanted: Wanted, now: number): SealedQuote | Refused {
  if (ctx.book.isEnded()) return accountGone()
  const terms = (wanted.discount && usedBefore(ctx.book, wanted.discount.code)) ?? termsFor(ctx, wanted, now)
  if (isRefused(terms)) return terms
  const { book } = ctx
  const { discount, changes } = wanted
  return { user: book.account, book: book.count('revision'), terms, discount, changes, exp: terms.expires_at }
}

/** Begins a purchase, or joins the one that its intent has begun. One transaction. */
export function beginPurchase(ctx: LedgerContext, ask: PurchaseAsk, sealed: SealedQuote | null, now: number): Begun {
  const hash = hashOf({ ...ask, own: undefined })
  const known = ctx.book.get('intent', ask.intent)
  if (known && known.hash !== hash) return intentUsed()
  if (known && known.answer !== null) return known.answer as Begun
  const open = openCharges(ctx.book)
  const own = open.find(({ intent }) => intent === ask.intent)
  if (own && !own.parked) return { state: 'charge', charge_id: own.charge_id }
  if (isBusy(ctx.book)) return busy()
  for (const left of open) dropCharge(ctx.book, left, now)
  const fresh = quoteFor(ctx, wantedOf(ask, sealed), now)
  if (isRefused(fresh)) return fresh
  if (sealed === null || !isGood(sealed, fresh, ask, now)) return { state: 'requote', sealed: fresh }
  return begin(ctx, ask, { hash, sealed, charge_id: own?.charge_id ?? ctx.newId('order') }, now)
}

function wantedOf(ask: PurchaseAsk, sealed: SealedQuote | null): Wanted {
  return { ...ask.wanted, discount: sealed?.discount ?? null, isTrial: sealed?.terms.is_trial ?? false }
}

/** Whether the quote is still true, and for what is asked. */
function isGood(sealed: SealedQuote, fresh: SealedQuote, ask: PurchaseAsk, now: number): boolean {
  const { terms } = sealed
  const same = (a: Terms, b: Terms) => a.sku === b.sku && a.period === b.period && a.quantity === b.quantity
  const isFor = same(terms, fresh.terms) && JSON.stringify(sealed.changes) === JSON.stringify(fresh.changes)
  const isCode = ask.change === null ? sealed.changes === null : ask.change === terms.change
  const isCurrency = terms.currency === fresh.terms.currency
  const isPriced =
    isCurrency && terms.tax_basis_points === fresh.terms.tax_basis_points && unitsOf(terms) === unitsOf(fresh.terms)
  return isFor && isCode && isPriced && sealed.book === fresh.book && sealed.exp > now
}

const unitsOf = (terms: Terms) => JSON.stringify([terms.lines.map(({ kind, unit }) => [kind, unit]), terms.next?.total])

interface Ready {
  readonly hash: string
  readonly sealed: SealedQuote
  readonly charge_id: string
}

function begin(ctx: LedgerContext, ask: PurchaseAsk, { hash, sealed, charge_id }: Ready, now: number): Begun {
  const { book } = ctx
  const { intent, cameras, own = cameras } = ask
  const { due } = sealed.terms
  const method: MethodRecord | null = ask.methodId === null ? null : book.get('method', ask.methodId)
  if (due > 0 && method === null) return refuse('no_method', 409, 'Choose how to pay.')
  if (due === 0 || method === null) {
    const order = bookPurchase(ctx, { intent, order_id: charge_id, sealed, cameras, own, method }, now)
    const answer = { state: 'done' as const, order }
    remember(book, intent, { hash, answer }, now)
    return answer
  }
  remember(book, intent, { hash, answer: null }, now)
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
