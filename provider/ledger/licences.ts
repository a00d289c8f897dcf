import { planOf } from '../../contract/catalogue.ts'
import type { BindWhy, Refused } from './answers.ts'
import type { Book } from './book.ts'
import { toOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './records.ts'
import { refuse } from './refuse.ts'
import { isLive } from './subscriptions.ts'

export interface Bound {
  readonly device_mac: string
  readonly bound: boolean
  readonly why: BindWhy | null
}

const isCounted = ({ sku }: SubscriptionRecord) => planOf(sku).per === 'camera'

/** Number of the entry that a change of licences stands in. */
type EntryOf = () => number

/**
 * Binds cameras to licences of a subscription; `own`: every camera that the account may bind. A licence of one that is gone is
 * free again. What is bound already is told again: its camera may have been away.
 */
export function bindTo(
  book: Book,
  subscriptionId: string,
  devices: readonly string[],
  own: readonly string[],
  now: number,
): Bound[] | Refused {
  const one = book.get('subscription', subscriptionId)
  if (one === null || !isLive(one, now)) return refuse(404, 404)
  if (!isCounted(one)) return refuse(400, 400, 'This plan covers every camera of the home.')
  let entered: number | null = null
  const entry = () => (entered ??= book.enter('bind', subscriptionId, now))
  freeGone(book, entry, own)
  const answers = devices.map((id) => bindOne(book, entry, one, id, own, now))
  if (answers.some(({ bound }) => bound)) toOutbox(book, { kind: 'subscription', id: subscriptionId })
  return answers
}

/** Covers the cameras that a purchase names, as far as its licences go. */
export function bindFirst(
  book: Book,
  entry: number,
  one: SubscriptionRecord,
  { cameras, own }: { cameras: readonly string[]; own: readonly string[] },
  now: number,
): void {
  if (!isCounted(one) || cameras.length === 0) return
  freeGone(book, () => entry, own)
  for (const id of cameras) bindOne(book, () => entry, one, id, own, now)
  toOutbox(book, { kind: 'subscription', id: one.subscription_id })
}

function freeGone(book: Book, entry: EntryOf, own: readonly string[]): void {
  for (const { device_id, subscription_id } of book.all('licence'))
    if (!own.includes(device_id)) {
      book.drop(entry(), 'licence', device_id)
      toOutbox(book, { kind: 'subscription', id: subscription_id })
    }
}

function bindOne(
  book: Book,
  entry: EntryOf,
  one: SubscriptionRecord,
  device_mac: string,
  own: readonly string[],
  now: number,
): Bound {
  const no = (why: BindWhy): Bound => ({ device_mac, bound: false, why })
  if (!own.includes(device_mac)) return no('not_yours')
  const { subscription_id } = one
  const held = book.get('licence', device_mac)
  if (held?.subscription_id === subscription_id) return { device_mac, bound: true, why: null }
  const other = held && book.get('subscription', held.subscription_id)
  if (other && isLive(other, now) && isCounted(other)) return no('bound')
  const used = book.all('licence').filter((licence) => licence.subscription_id === subscription_id).length
  if (used >= one.quantity) return no('no_licence')
  book.put(entry(), 'licence', device_mac, { device_id: device_mac, subscription_id, bound_at: now })
  if (held) toOutbox(book, { kind: 'subscription', id: held.subscription_id })
  return { device_mac, bound: true, why: null }
}
