import {
  METHOD_BRANDS,
  type PaymentMethod,
  type Upcoming,
} from '../../../contract/billing/payment-methods-and-invoices.ts'
import { addMonths } from '../pricing/billing-period.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'
import type { Methods, LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { noticeOfMethod, putNotice } from './reminders.ts'
import { toOutbox } from './outbox.ts'
import type { MethodRecord } from './record-schemas.ts'
import { accountGone, ledgerError } from './errors.ts'
import { defaultMethod, nextCharge, renews } from './subscription-rules.ts'

type Ends = MethodRecord['ends']
/** Returns the time from which the payment method is expired, ms UTC; Infinity if it does not expire. */
const overFrom = (ends: Ends) => (ends ? Date.UTC(ends.year, ends.month, 1) : Infinity)

function getMethodState({ ends }: MethodRecord, now: number): PaymentMethod['state'] {
  if (now >= overFrom(ends)) return 'ended'
  const today = new Date(now)
  const firstOfMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)
  return overFrom(ends) <= addMonths(firstOfMonth, 2) ? 'ending' : 'good'
}

const stored = (book: LedgerStore) => book.all('method').sort((a, b) => a.added_at - b.added_at)

/** Returns true if a payment method may be removed. The last valid method may not, while a plan renews. */
function mayGo(book: LedgerStore, record: MethodRecord, now: number): boolean {
  const isGood = (method: MethodRecord) => getMethodState(method, now) !== 'ended'
  const hasOther = stored(book).some((other) => other.method_id !== record.method_id && isGood(other))
  const pays = book.all('subscription').some((plan) => renews(plan) && !plan.free)
  return hasOther || !isGood(record) || !pays
}

function toPaymentMethod(book: LedgerStore, record: MethodRecord, now: number): PaymentMethod {
  const { method_id, type, brand, last_four, name, ends, is_default, added_at } = record
  const state = getMethodState(record, now)
  return {
    method_id,
    type,
    brand,
    last_four,
    name,
    ends,
    state,
    is_default,
    may_go: mayGo(book, record, now),
    added_at,
  }
}

export const listMethods = (book: LedgerStore, now: number): PaymentMethod[] =>
  stored(book).map((record) => toPaymentMethod(book, record, now))

/** Stores a method from the gateway. Idempotent per card session. */
export function addMethod(
  { book, newId }: Pick<LedgerContext, 'book' | 'newId'>,
  session: string,
  method: GatewayMethod,
  now: number,
): PaymentMethod {
  const existing = stored(book).find((candidate) => candidate.session === session)
  if (existing) return toPaymentMethod(book, existing, now)
  const brand = METHOD_BRANDS.find((name) => name === method.brand) ?? (method.type === 'wallet' ? 'wallet' : 'visa')
  const record: MethodRecord = {
    ...{ method_id: newId('method'), session, token: method.token, type: method.type, brand },
    ...{ last_four: method.last_four, name: method.name, ends: method.ends && { ...method.ends } },
    ...{ is_default: stored(book).length === 0, added_at: now, address: [...method.address] },
  }
  const entry = book.enter('method', record.method_id, now)
  book.put(entry, 'method', record.method_id, record)
  putNotice(book, record.method_id, noticeOfMethod(record))
  publishFreeSubscriptions(book)
  return toPaymentMethod(book, record, now)
}

export function setDefaultPaymentMethod(
  book: LedgerStore,
  methodId: string,
  now: number,
): PaymentMethod[] | LedgerError {
  if (book.get('method', methodId) === null) return ledgerError(404, 404)
  const entry = book.enter('method', methodId, now)
  for (const method of stored(book))
    book.put(entry, 'method', method.method_id, { ...method, is_default: method.method_id === methodId })
  return listMethods(book, now)
}

/** Removes a method. If it was the default, the first valid one becomes the default. */
export function removePaymentMethod(book: LedgerStore, methodId: string, now: number): PaymentMethod[] | LedgerError {
  const method = book.get('method', methodId)
  if (method === null) return ledgerError(404, 404)
  if (!mayGo(book, method, now)) return ledgerError(4226, 402)
  const entry = book.enter('method', methodId, now)
  book.drop(entry, 'method', methodId)
  putNotice(book, methodId, null)
  toOutbox(book, { kind: 'forget', token: method.token })
  const left = stored(book)
  const next = left.find((other) => getMethodState(other, now) !== 'ended') ?? left[0]
  if (method.is_default && next) book.put(entry, 'method', next.method_id, { ...next, is_default: true })
  publishFreeSubscriptions(book)
  return listMethods(book, now)
}

/** Removes all methods of a deleted account, here and at the gateway. */
export function dropMethods(book: LedgerStore, now: number): void {
  for (const { method_id, token } of stored(book)) {
    book.drop(book.enter('method', method_id, now), 'method', method_id)
    putNotice(book, method_id, null)
    toOutbox(book, { kind: 'forget', token })
  }
}

/** Rejects a method that arrives after the account was deleted, and deletes it at the gateway. */
export function rejectPaymentMethod(book: LedgerStore, token: string): LedgerError {
  toOutbox(book, { kind: 'forget', token })
  return accountGone()
}

/**
 * Publishes subscriptions with free months again. They renew if the account has a payment method and end if it has
 * none.
 */
function publishFreeSubscriptions(book: LedgerStore): void {
  for (const { free, over, subscription_id } of book.all('subscription'))
    if (free && !over) toOutbox(book, { kind: 'subscription', id: subscription_id })
}

export function getPaymentMethods({ book, taxBasisPoints }: LedgerContext, now: number): Methods {
  return {
    methods: listMethods(book, now),
    upcoming: upcomingCharges(book, taxBasisPoints),
    balance: book.balance(),
    address: defaultMethod(book)?.address ?? [],
  }
}

/** Returns the next charge of each subscription, earliest first. The balance pays the earliest ones. */
export function upcomingCharges(book: LedgerStore, basisPoints: number): Upcoming[] {
  let left = book.balance()
  const method = defaultMethod(book)
  const next = book.all('subscription').flatMap((subscription) => {
    const charge = nextCharge(book, subscription, basisPoints)
    return charge
      ? [{ ...(subscription.scheduled ?? subscription), subscription_id: subscription.subscription_id, ...charge }]
      : []
  })
  next.sort((a, b) => a.at - b.at)
  return next.map(({ subscription_id, sku, period, quantity, at, total }) => {
    const due = total - Math.min(left, total)
    left -= total - due
    const wouldFail = due > 0 && (method === null || at >= overFrom(method.ends))
    return {
      subscription_id,
      sku,
      period,
      quantity,
      at,
      due,
      method_id: method?.method_id ?? null,
      would_fail: wouldFail,
    }
  })
}
