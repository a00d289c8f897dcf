import {
  METHOD_BRANDS,
  type PaymentMethod,
  type Upcoming,
} from '../../../contract/billing/payment-methods-and-invoices.ts'
import { addMonths } from '../pricing/billing-period.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'
import type { Methods, Refused } from './ledger-calls.ts'
import type { Book } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { noticeOfMethod, putNotice } from './reminders.ts'
import { toOutbox } from './outbox.ts'
import type { MethodRecord } from './record-schemas.ts'
import { accountGone, refuse } from './errors.ts'
import { defaultMethod, nextCharge, renews } from './subscription-rules.ts'

type Ends = MethodRecord['ends']
/** The first moment at which it does not pay any more, ms UTC. */
const overFrom = (ends: Ends) => (ends ? Date.UTC(ends.year, ends.month, 1) : Infinity)

function stateOf({ ends }: MethodRecord, now: number): PaymentMethod['state'] {
  if (now >= overFrom(ends)) return 'ended'
  const today = new Date(now)
  const firstOfMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)
  return overFrom(ends) <= addMonths(firstOfMonth, 2) ? 'ending' : 'good'
}

const stored = (book: Book) => book.all('method').sort((a, b) => a.added_at - b.added_at)

/** Not the last good one of a plan that is charged again. */
function mayGo(book: Book, one: MethodRecord, now: number): boolean {
  const isGood = (method: MethodRecord) => stateOf(method, now) !== 'ended'
  const hasOther = stored(book).some((other) => other.method_id !== one.method_id && isGood(other))
  const pays = book.all('subscription').some((plan) => renews(plan) && !plan.free)
  return hasOther || !isGood(one) || !pays
}

function shown(book: Book, one: MethodRecord, now: number): PaymentMethod {
  const { method_id, type, brand, last_four, name, ends, is_default, added_at } = one
  const state = stateOf(one, now)
  return { method_id, type, brand, last_four, name, ends, state, is_default, may_go: mayGo(book, one, now), added_at }
}

export const listMethods = (book: Book, now: number): PaymentMethod[] =>
  stored(book).map((one) => shown(book, one, now))

/** Takes in what the gateway keeps; the same session again changes nothing. */
export function addMethod(
  { book, newId }: Pick<LedgerContext, 'book' | 'newId'>,
  session: string,
  method: GatewayMethod,
  now: number,
): PaymentMethod {
  const known = stored(book).find((one) => one.session === session)
  if (known) return shown(book, known, now)
  const brand = METHOD_BRANDS.find((one) => one === method.brand) ?? (method.type === 'wallet' ? 'wallet' : 'visa')
  const record: MethodRecord = {
    ...{ method_id: newId('method'), session, token: method.token, type: method.type, brand },
    ...{ last_four: method.last_four, name: method.name, ends: method.ends && { ...method.ends } },
    ...{ is_default: stored(book).length === 0, added_at: now, address: [...method.address] },
  }
  const entry = book.enter('method', record.method_id, now)
  book.put(entry, 'method', record.method_id, record)
  putNotice(book, record.method_id, noticeOfMethod(record))
  tellFree(book)
  return shown(book, record, now)
}

export function chooseMethod(book: Book, methodId: string, now: number): PaymentMethod[] | Refused {
  if (book.get('method', methodId) === null) return refuse(404, 404)
  const entry = book.enter('method', methodId, now)
  for (const one of stored(book))
    book.put(entry, 'method', one.method_id, { ...one, is_default: one.method_id === methodId })
  return listMethods(book, now)
}

/** Takes a method away; where it was the default one, the first good one follows. */
export function removeMethod(book: Book, methodId: string, now: number): PaymentMethod[] | Refused {
  const one = book.get('method', methodId)
  if (one === null) return refuse(404, 404)
  if (!mayGo(book, one, now)) return refuse(4226, 402)
  const entry = book.enter('method', methodId, now)
  book.drop(entry, 'method', methodId)
  putNotice(book, methodId, null)
  toOutbox(book, { kind: 'forget', token: one.token })
  const left = stored(book)
  const next = left.find((other) => stateOf(other, now) !== 'ended') ?? left[0]
  if (one.is_default && next) book.put(entry, 'method', next.method_id, { ...next, is_default: true })
  tellFree(book)
  return listMethods(book, now)
}

/** The account is gone: nothing pays for it any more, here or at the gateway. */
export function dropMethods(book: Book, now: number): void {
  for (const { method_id, token } of stored(book)) {
    book.drop(book.enter('method', method_id, now), 'method', method_id)
    putNotice(book, method_id, null)
    toOutbox(book, { kind: 'forget', token })
  }
}

/** A method that comes when the account is gone: the gateway forgets it. */
export function turnAway(book: Book, token: string): Refused {
  toOutbox(book, { kind: 'forget', token })
  return accountGone()
}

/** Free months go on where a method pays for them, and end where none does. */
function tellFree(book: Book): void {
  for (const { free, over, subscription_id } of book.all('subscription'))
    if (free && !over) toOutbox(book, { kind: 'subscription', id: subscription_id })
}

/** What pays, and what is to come. */
export function methodsOf({ book, taxBasisPoints }: LedgerContext, now: number): Methods {
  return {
    methods: listMethods(book, now),
    upcoming: upcomingCharges(book, taxBasisPoints),
    balance: book.balance(),
    address: defaultMethod(book)?.address ?? [],
  }
}

/** The next charge of each subscription, the earliest first; the balance pays those first. */
export function upcomingCharges(book: Book, basisPoints: number): Upcoming[] {
  let left = book.balance()
  const method = defaultMethod(book)
  const next = book.all('subscription').flatMap((one) => {
    const charge = nextCharge(book, one, basisPoints)
    return charge ? [{ ...(one.scheduled ?? one), subscription_id: one.subscription_id, ...charge }] : []
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
