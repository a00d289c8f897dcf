import type { LedgerStore } from './ledger-store.ts'
import { runIdempotent } from './idempotency-keys.ts'
import { bindOne, type LicenseAssignment, boundTo, licenseConflict, isCounted } from './licenses.ts'
import { toOutbox } from './outbox.ts'
import { accountGone, ledgerError } from './errors.ts'
import type { LedgerError } from './ledger-calls.ts'
import { isLive } from './subscription-rules.ts'

/** Result of moving one license. */
export interface LicenseMoveResult {
  readonly device_mac: string
  readonly done: boolean
  readonly why: 'not_bound' | 'not_yours' | 'no_licence' | 'bound' | null
}

/**
 * Request about licenses of one subscription. `own`: every camera that the account may cover, looked up by the call.
 */
interface LicenseRequest {
  readonly intent: string
  readonly subscription_id: string
  readonly own: readonly string[]
}

const done = (device_mac: string): LicenseMoveResult => ({ device_mac, done: true, why: null })
const left = (device_mac: string, why: LicenseMoveResult['why']): LicenseMoveResult => ({
  device_mac,
  done: false,
  why,
})

/** Unassigns licenses from cameras, also from those that the account no longer owns. Runs once per idempotency key. */
export function unbindFrom(
  book: LedgerStore,
  ask: LicenseRequest & { readonly devices: readonly string[] },
  now: number,
): LicenseMoveResult[] | LedgerError {
  const { intent, subscription_id, devices, own } = ask
  return runIdempotent(book, { intent, body: ['unbind', subscription_id, devices] }, now, () => {
    if (book.isEnded()) return accountGone()
    if (book.get('subscription', subscription_id) === null) return ledgerError(404, 404)
    let entered: number | null = null
    const answers = devices.map((id) => {
      if (book.get('licence', id)?.subscription_id !== subscription_id)
        return left(id, own.includes(id) ? 'not_bound' : 'not_yours')
      book.drop((entered ??= book.enter('unbind', subscription_id, now)), 'licence', id)
      return done(id)
    })
    if (entered !== null) toOutbox(book, { kind: 'subscription', id: subscription_id })
    return answers
  })
}

/**
 * Transfers a license between two cameras in one entry, so that both cameras change or neither does. The license keeps
 * its position, because if more licenses are assigned than the plan has, only the first ones count. Runs once per
 * idempotency key.
 */
export function moveLicenseAssignment(
  book: LedgerStore,
  ask: LicenseRequest & { readonly from: string; readonly to: string },
  now: number,
): LicenseMoveResult[] | LedgerError {
  const { intent, subscription_id, from, to, own } = ask
  return runIdempotent(book, { intent, body: ['move', subscription_id, from, to] }, now, () => {
    if (book.isEnded()) return accountGone()
    const subscription = book.get('subscription', subscription_id)
    if (subscription === null || !isLive(subscription, now)) return ledgerError(404, 404)
    if (!isCounted(subscription)) return ledgerError(400, 400, 'This plan covers every camera of the home.')
    const held = book.get('licence', from)
    if (held?.subscription_id !== subscription_id)
      return [left(from, own.includes(from) ? 'not_bound' : 'not_yours'), left(to, null)]
    const before = book.get('licence', to)
    const why =
      before?.subscription_id === subscription_id ? 'bound' : licenseConflict(book, subscription_id, to, own, now)
    if (why) return [left(from, null), left(to, why)]
    const entry = book.enter('move', subscription_id, now)
    book.drop(entry, 'licence', from)
    book.put(entry, 'licence', to, { ...held, device_id: to })
    // The camera's previous subscription is published first, so that it releases the camera.
    for (const id of new Set([before?.subscription_id ?? subscription_id, subscription_id]))
      toOutbox(book, { kind: 'subscription', id })
    return [done(from), done(to)]
  })
}

const AUTO_COVER = 'auto-cover'

/** Returns true if new cameras automatically get an unassigned license, which is the default. */
export const isAutoCovered = (book: LedgerStore): boolean => book.get('choice', AUTO_COVER)?.on ?? true

export function storeAutoCover(
  book: LedgerStore,
  { intent, on }: { intent: string; on: boolean },
  now: number,
): boolean | LedgerError {
  return runIdempotent(book, { intent, body: [AUTO_COVER, on] }, now, () => {
    if (book.isEnded()) return accountGone()
    book.put(0, 'choice', AUTO_COVER, { on })
    return on
  })
}

/**
 * Assigns an unassigned license of the oldest plan to a camera that is new in a home of the account. Returns null if
 * nothing changes: automatic assignment is off, no license is left, or a license already covers the camera.
 */
export function coverNew(
  book: LedgerStore,
  deviceId: string,
  own: readonly string[],
  now: number,
): LicenseAssignment | null {
  if (book.isEnded() || !isAutoCovered(book)) return null
  const held = book.get('licence', deviceId)
  const free = book
    .all('subscription')
    .filter(
      (candidate) =>
        isCounted(candidate) && isLive(candidate, now) && boundTo(book, candidate.subscription_id) < candidate.quantity,
    )
    .sort((a, b) => a.since - b.since)
  const [subscription] = free
  if (!subscription || held?.subscription_id === subscription.subscription_id) return null
  const bound = bindOne(
    book,
    () => book.enter('bind', subscription.subscription_id, now),
    subscription,
    deviceId,
    own,
    now,
  )
  if (bound.bound) toOutbox(book, { kind: 'subscription', id: subscription.subscription_id })
  return bound
}

export function releaseLedgerLicense(book: LedgerStore, deviceId: string, now: number): void {
  const held = book.get('licence', deviceId)
  if (!held) return
  book.drop(book.enter('unbind', held.subscription_id, now), 'licence', deviceId)
  toOutbox(book, { kind: 'subscription', id: held.subscription_id })
}
