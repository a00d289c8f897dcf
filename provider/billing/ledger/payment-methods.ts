import {
  METHOD_BRANDS,
  type PaymentMethod,
  type UpcomingCharge,
} from '../../../contract/billing/payment-methods-and-invoices.ts'
import { addMonths } from '../pricing/billing-period.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'
import type { PaymentOverview, LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { toMethodReminder, putReminder } from './reminders.ts'
import { addToOutbox } from './outbox.ts'
import type { MethodRecord } from './record-schemas.ts'
import { createAccountDeletedError, createLedgerError } from './errors.ts'
import { findDefaultMethod, getNextCharge, willRenew } from './subscription-rules.ts'

type CardExpiry = MethodRecord['ends']
/** Returns the expiry time of a payment method, ms UTC; Infinity if it does not expire. */
const getExpiryTime = (ends: CardExpiry) => (ends ? Date.UTC(ends.year, ends.month, 1) : Infinity)

function getMethodState({ ends }: MethodRecord, now: number): PaymentMethod['state'] {
  if (now >= getExpiryTime(ends)) return 'ended'
  const today = new Date(now)
  const firstOfMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)
  return getExpiryTime(ends) <= addMonths(firstOfMonth, 2) ? 'ending' : 'good'
}

const listStoredMethods = (store: LedgerStore) => store.listRecords('method').sort((a, b) => a.added_at - b.added_at)

/**
 * Returns true if a payment method may be removed. The last valid method must stay while a plan renews, unless the plan
 * is in the free months of a coupon.
 */
function canRemoveMethod(store: LedgerStore, record: MethodRecord, now: number): boolean {
  const isGood = (method: MethodRecord) => getMethodState(method, now) !== 'ended'
  const hasOther = listStoredMethods(store).some((other) => other.method_id !== record.method_id && isGood(other))
  const pays = store.listRecords('subscription').some((plan) => willRenew(plan) && !plan.free)
  return hasOther || !isGood(record) || !pays
}

function toPaymentMethod(store: LedgerStore, record: MethodRecord, now: number): PaymentMethod {
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
    may_go: canRemoveMethod(store, record, now),
    added_at,
  }
}

export const listMethods = (store: LedgerStore, now: number): PaymentMethod[] =>
  listStoredMethods(store).map((record) => toPaymentMethod(store, record, now))

/** Stores a payment method from the payment gateway. Idempotent per card session. */
export function addMethod(
  { book, newId }: Pick<LedgerContext, 'book' | 'newId'>,
  session: string,
  method: GatewayMethod,
  now: number,
): PaymentMethod {
  const existing = listStoredMethods(book).find((candidate) => candidate.session === session)
  if (existing) return toPaymentMethod(book, existing, now)
  const brand = METHOD_BRANDS.find((name) => name === method.brand) ?? (method.type === 'wallet' ? 'wallet' : 'visa')
  const record: MethodRecord = {
    method_id: newId('method'),
    session,
    token: method.token,
    type: method.type,
    brand,
    last_four: method.last_four,
    name: method.name,
    ends: method.ends && { ...method.ends },
    is_default: listStoredMethods(book).length === 0,
    added_at: now,
    address: [...method.address],
  }
  const entry = book.addEntry('method', record.method_id, now)
  book.put(entry, 'method', record.method_id, record)
  putReminder(book, record.method_id, toMethodReminder(record))
  publishFreeSubscriptions(book)
  return toPaymentMethod(book, record, now)
}

export function setDefaultPaymentMethod(
  store: LedgerStore,
  methodId: string,
  now: number,
): PaymentMethod[] | LedgerError {
  if (store.get('method', methodId) === null) return createLedgerError(404, 404)
  const entry = store.addEntry('method', methodId, now)
  for (const method of listStoredMethods(store))
    store.put(entry, 'method', method.method_id, { ...method, is_default: method.method_id === methodId })
  return listMethods(store, now)
}

/**
 * Removes a method; returns error 4226 if a plan still needs it. If the default method is removed, the oldest valid
 * method becomes the default; without a valid method, the oldest method.
 */
export function removePaymentMethod(store: LedgerStore, methodId: string, now: number): PaymentMethod[] | LedgerError {
  const method = store.get('method', methodId)
  if (method === null) return createLedgerError(404, 404)
  if (!canRemoveMethod(store, method, now)) return createLedgerError(4226, 402)
  const entry = store.addEntry('method', methodId, now)
  store.deleteRecord(entry, 'method', methodId)
  putReminder(store, methodId, null)
  addToOutbox(store, { kind: 'forget', token: method.token })
  const remaining = listStoredMethods(store)
  const next = remaining.find((other) => getMethodState(other, now) !== 'ended') ?? remaining[0]
  if (method.is_default && next) store.put(entry, 'method', next.method_id, { ...next, is_default: true })
  publishFreeSubscriptions(store)
  return listMethods(store, now)
}

/** Removes all payment methods of a deleted account, in the ledger and at the payment gateway. */
export function deleteAllMethods(store: LedgerStore, now: number): void {
  for (const { method_id, token } of listStoredMethods(store)) {
    store.deleteRecord(store.addEntry('method', method_id, now), 'method', method_id)
    putReminder(store, method_id, null)
    addToOutbox(store, { kind: 'forget', token })
  }
}

/**
 * Rejects a payment method that arrives after the account was deleted. Deletes it at the payment gateway and returns
 * the error.
 */
export function rejectPaymentMethod(store: LedgerStore, token: string): LedgerError {
  addToOutbox(store, { kind: 'forget', token })
  return createAccountDeletedError()
}

/** Publishes subscriptions with free months again, because they renew only if the account has a payment method. */
function publishFreeSubscriptions(store: LedgerStore): void {
  for (const { free, over, subscription_id } of store.listRecords('subscription'))
    if (free && !over) addToOutbox(store, { kind: 'subscription', id: subscription_id })
}

export function getPaymentMethods({ book, taxBasisPoints }: LedgerContext, now: number): PaymentOverview {
  return {
    methods: listMethods(book, now),
    upcoming: listUpcomingCharges(book, taxBasisPoints),
    balance: book.getBalance(),
    address: findDefaultMethod(book)?.address ?? [],
  }
}

/** Returns the next charge of each subscription, earliest first. Applies the balance to the earliest charges first. */
export function listUpcomingCharges(store: LedgerStore, basisPoints: number): UpcomingCharge[] {
  let balanceLeft = store.getBalance()
  const method = findDefaultMethod(store)
  const next = store.listRecords('subscription').flatMap((subscription) => {
    const charge = getNextCharge(store, subscription, basisPoints)
    return charge
      ? [{ ...(subscription.scheduled ?? subscription), subscription_id: subscription.subscription_id, ...charge }]
      : []
  })
  next.sort((a, b) => a.at - b.at)
  return next.map(({ subscription_id, sku, period, quantity, at, total }) => {
    const due = total - Math.min(balanceLeft, total)
    balanceLeft -= total - due
    const wouldFail = due > 0 && (method === null || at >= getExpiryTime(method.ends))
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
