import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { findTestOutcome, SLOW_RESPONSE_MS, type TestOutcome } from '../../../../contract/billing/test-cards.ts'
import { findMethod } from './payment-method-rows.ts'
import type { AuthorizationResult, ChargeRequest, GatewayCharge, GatewayMethod } from '../gateway-interface.ts'

/**
 * Result of an authorization. `lost`: simulates a lost response. The charge is authorized, and a repeated request
 * returns the result.
 */
export type EmbeddedAuthorizationResult = AuthorizationResult | { readonly state: 'lost' }

const FIELD_ERRORS = [
  { field: 'number', text: 'The bank doesn’t recognize this card number. Check the number and try again.' },
  { field: 'ends', text: 'The expiration date isn’t valid for this card. Check the date and try again.' },
]

const chargeRow = v.object({
  key: v.string(),
  cents: v.number(),
  currency: v.string(),
  state: v.picklist(['pending', 'authorised', 'captured', 'declined']),
  code: v.string(),
  charge: v.string(),
  asked_at: v.number(),
  captured_at: v.nullable(v.number()),
})
type ChargeRow = v.InferOutput<typeof chargeRow>

/**
 * Charges and refunds of the embedded payment gateway, in its SQL storage. A repeated call with the same key does not
 * charge or refund again. Times are ms UTC.
 */
export class ChargeRows {
  readonly #sql: SqlStorage
  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  authorize({ key, token, cents, currency }: Omit<ChargeRequest, 'account'>, now: number): EmbeddedAuthorizationResult {
    const existing = this.#find(key)
    if (existing !== null) return this.#toAuthorizationResult(existing, now)
    const outcome = decideOutcome(findMethod(this.#sql, token), now)
    const state = outcome === 'slow' ? 'pending' : isDecline(outcome) ? 'declined' : 'authorised'
    this.#sql.exec(
      `INSERT INTO charges (key, token, cents, currency, state, code, charge, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      key,
      token,
      cents,
      currency,
      state,
      isDecline(outcome) ? outcome : '',
      newId('ch'),
      now,
    )
    return outcome === 'lost' ? { state: 'lost' } : this.#toAuthorizationResult(this.#find(key), now)
  }

  /** Collects an authorized charge and returns its id; null if nothing was authorized with this key. */
  capture(key: string, now: number): string | null {
    const found = this.#find(key)
    if (found?.state !== 'authorised' && found?.state !== 'captured') return null
    if (found.state === 'authorised')
      this.#sql.exec(`UPDATE charges SET state = 'captured', captured_at = ? WHERE key = ?`, now, key)
    return found.charge
  }

  /**
   * Refunds `cents` of a charge once per `refundKey`, and returns the refund id. Returns null if nothing was collected,
   * if `cents` is not positive, or if all refunds together would exceed the collected amount.
   */
  refund(key: string, refundKey: string, cents: number, now: number): string | null {
    const [existing] = this.#sql
      .exec<{ refund: string }>('SELECT refund FROM refunds WHERE refund_key = ?', refundKey)
      .toArray()
    if (existing) return existing.refund
    const found = this.#find(key)
    if (found?.state !== 'captured' || cents <= 0 || this.#sumRefunds(key) + cents > found.cents) return null
    const refund = newId('re')
    this.#sql.exec(
      'INSERT INTO refunds (refund_key, key, refund, cents, at) VALUES (?, ?, ?, ?, ?)',
      refundKey,
      key,
      refund,
      cents,
      now,
    )
    return refund
  }

  listCaptured(): GatewayCharge[] {
    const rows = this.#sql.exec(`SELECT * FROM charges WHERE state = 'captured' ORDER BY captured_at, key`).toArray()
    return rows.map((rawRow) => {
      const { key, charge, cents, currency, captured_at } = v.parse(chargeRow, rawRow)
      return { key, charge, cents, currency, refunded: this.#sumRefunds(key), at: captured_at ?? 0 }
    })
  }

  #toAuthorizationResult(found: ChargeRow | null, now: number): AuthorizationResult {
    if (found === null) throw new Error('The charge that was just created is missing.')
    const { key, code } = found
    if (found.state === 'declined') return { state: 'declined', code, errors: code === '0000' ? FIELD_ERRORS : [] }
    if (found.state !== 'pending') return { state: 'authorised', authorisation: found.charge }
    if (now < found.asked_at + SLOW_RESPONSE_MS) return { state: 'pending' }
    this.#sql.exec(`UPDATE charges SET state = 'authorised' WHERE key = ?`, key)
    return { state: 'authorised', authorisation: found.charge }
  }

  #sumRefunds(key: string): number {
    const [sum] = this.#sql
      .exec<{ cents: number }>('SELECT coalesce(sum(cents), 0) AS cents FROM refunds WHERE key = ?', key)
      .toArray()
    return sum?.cents ?? 0
  }

  #find(key: string): ChargeRow | null {
    const [found] = this.#sql.exec('SELECT * FROM charges WHERE key = ?', key).toArray()
    return found === undefined ? null : v.parse(chargeRow, found)
  }
}

const newId = (kind: string): string => `${kind}_${crypto.randomUUID().replaceAll('-', '')}`
const isDecline = (outcome: TestOutcome): boolean => /^\d{4}$/.test(outcome)

/** `method`: null if the payment method was deleted. */
function decideOutcome(method: GatewayMethod | null, now: number): TestOutcome {
  if (method === null) return '4226'
  const { ends } = method
  const isExpired = ends !== null && Date.UTC(ends.year, ends.month, 1) <= now
  return isExpired ? '4220' : findTestOutcome(method)
}
