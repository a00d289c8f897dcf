import { createHash, randomBytes } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { CARD_TICKET_LIFETIME_MS } from '../../../../contract/billing/payment-calls.ts'
import { findTestOutcome } from '../../../../contract/billing/test-cards.ts'
import { isEqualConstantTime } from '../../../platform/crypto/constant-time-equal.ts'
import { findMethod, putMethod, type NewMethod } from './payment-method-rows.ts'
import type { CardPurpose, ClaimedMethod } from '../gateway-interface.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/**
 * Lifetime of a card page, counted from the creation of its ticket. Afterwards, the page has expired, and a payment
 * method that was not claimed can no longer be claimed.
 */
export const CARD_PAGE_LIFETIME_MS = 1_800_000
/**
 * Retention of a claimed card session, from its start. During this time, a repeated claim returns the same payment
 * method.
 */
const SESSION_RETENTION_MS = DAY_MS

/**
 * `waiting`: ticket unused. `open`: form shown. `asked`: bank asks for confirmation. `saved`: method not claimed yet.
 * `kept`: method claimed. `refused`: confirmation refused. `left`: ended without a card.
 */
const cardState = v.picklist(['waiting', 'open', 'asked', 'saved', 'kept', 'refused', 'left'])
export type CardState = v.InferOutput<typeof cardState>
const storedLines = v.pipe(v.string(), v.parseJson(), v.array(v.string()))
const sessionRow = v.object({
  email: v.string(),
  lines: storedLines,
  address: storedLines,
  amount: v.nullable(v.string()),
  unpaid: v.nullable(v.pipe(v.string(), v.parseJson(), v.object({ worksUntil: v.nullable(v.string()) }))),
  state: cardState,
  token: v.nullable(v.string()),
  opened_at: v.number(),
  proof_hash: v.nullable(v.string()),
})

const hashProof = (proof: string) => createHash('sha256').update(proof).digest('hex')

export interface CardView extends CardPurpose {
  readonly state: CardState
}

/**
 * Result of a form post on the card page. `proof`: secret with which this browser claims the saved method; null unless
 * `state` is `saved`.
 */
export interface CardStep {
  readonly state: CardState
  readonly proof: string | null
}

/** Sessions of the card page, in the SQL storage of the embedded payment gateway. Times in ms UTC. */
export class CardSessions {
  readonly #sql: SqlStorage
  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  open(session: string, { email, lines, amount, unpaid, address = [] }: CardPurpose, now: number): void {
    this.#sql.exec('DELETE FROM card_sessions WHERE opened_at < ?', now - SESSION_RETENTION_MS)
    this.#sql.exec(
      `INSERT INTO card_sessions (session, email, lines, amount, unpaid, address, state, opened_at)
       VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?)`,
      session,
      email,
      JSON.stringify(lines),
      amount ?? null,
      unpaid === undefined ? null : JSON.stringify(unpaid),
      JSON.stringify(address),
      now,
    )
  }

  /** Consumes the ticket of a card session. Returns true if the ticket was unused and had not expired. */
  enter(session: string, now: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      `UPDATE card_sessions SET state = 'open' WHERE session = ? AND state = 'waiting' AND opened_at > ?`,
      session,
      now - CARD_TICKET_LIFETIME_MS,
    )
    return rowsWritten > 0
  }

  /** Returns the purpose and state of a session; null if the session does not exist or has expired. */
  view(session: string, now: number): CardView | null {
    const found = this.#find(session)
    if (found === null || found.opened_at <= now - CARD_PAGE_LIFETIME_MS) return null
    const { email, lines, address, amount, unpaid, state } = found
    return { email, lines, address, state, ...(amount !== null && { amount }), ...(unpaid !== null && { unpaid }) }
  }

  /**
   * Stores a payment method if the card session is `open`. Returns the session's state, with a new proof if the state
   * is `saved`. Returns null if the session is missing or has expired.
   */
  save(session: string, method: NewMethod, now: number): CardStep | null {
    const current = this.view(session, now)
    if (current?.state !== 'open') return this.#issueProof(session, current?.state ?? null)
    const token = putMethod(this.#sql, method, now)
    return this.#issueProof(
      session,
      this.#setState(session, findTestOutcome(method) === 'confirms' ? 'asked' : 'saved', token),
    )
  }

  confirm(session: string, accepted: boolean, now: number): CardStep | null {
    const current = this.view(session, now)
    if (current?.state !== 'asked') return this.#issueProof(session, current?.state ?? null)
    const token = this.#find(session)?.token ?? null
    return this.#issueProof(
      session,
      accepted ? this.#setState(session, 'saved', token) : this.#endWithoutMethod(session, 'refused'),
    )
  }

  /**
   * Ends the card session without a payment method if its state is `open` or `asked`. Returns the resulting state; null
   * if the session is missing or has expired.
   */
  leave(session: string, now: number): CardStep | null {
    const current = this.view(session, now)
    const isOpen = current?.state === 'open' || current?.state === 'asked'
    return this.#issueProof(session, isOpen ? this.#endWithoutMethod(session, 'left') : (current?.state ?? null))
  }

  /**
   * Claims the saved method of a card session. Returns `unproven` without a valid proof, and null if there is no method
   * or the session has expired. A repeated claim returns the same method without checking the proof.
   */
  claimMethod(session: string, proof: string | null, now: number): ClaimedMethod {
    const found = this.#find(session)
    if (found === null || found.token === null || found.opened_at <= now - SESSION_RETENTION_MS) return null
    if (found.state === 'kept') return findMethod(this.#sql, found.token)
    if (found.state !== 'saved' || found.opened_at <= now - CARD_PAGE_LIFETIME_MS) return null
    const isProven =
      proof !== null && found.proof_hash !== null && isEqualConstantTime(hashProof(proof), found.proof_hash)
    if (!isProven) return 'unproven'
    this.#sql.exec(`UPDATE card_sessions SET state = 'kept', proof_hash = NULL WHERE session = ?`, session)
    return findMethod(this.#sql, found.token)
  }

  /**
   * Deletes the expired card sessions that are not `kept`, and their payment methods. Returns the earliest expiry of
   * the remaining sessions that are not `kept`, ms UTC; null for none.
   */
  deleteUnreturnedSessions(now: number): number | null {
    const ended = `state <> 'kept' AND opened_at <= ?`
    const tokens = `SELECT token FROM card_sessions WHERE token IS NOT NULL AND ${ended}`
    this.#sql.exec(`DELETE FROM methods WHERE token IN (${tokens})`, now - CARD_PAGE_LIFETIME_MS)
    this.#sql.exec(`DELETE FROM card_sessions WHERE ${ended}`, now - CARD_PAGE_LIFETIME_MS)
    const [first] = this.#sql
      .exec<{ opened_at: number }>(
        `SELECT opened_at FROM card_sessions WHERE state <> 'kept' ORDER BY opened_at LIMIT 1`,
      )
      .toArray()
    return first === undefined ? null : first.opened_at + CARD_PAGE_LIFETIME_MS
  }

  /**
   * Issues a proof for a saved session. A repeated form post replaces the proof, because the browser follows the last
   * response.
   */
  #issueProof(session: string, state: CardState | null): CardStep | null {
    if (state !== 'saved') return state && { state, proof: null }
    const proof = randomBytes(32).toString('base64url')
    this.#sql.exec('UPDATE card_sessions SET proof_hash = ? WHERE session = ?', hashProof(proof), session)
    return { state, proof }
  }

  #endWithoutMethod(session: string, to: 'refused' | 'left'): CardState {
    this.#sql.exec('DELETE FROM methods WHERE token = ?', this.#find(session)?.token ?? '')
    return this.#setState(session, to, null)
  }

  #setState(session: string, to: CardState, token: string | null): CardState {
    this.#sql.exec('UPDATE card_sessions SET state = ?, token = ? WHERE session = ?', to, token, session)
    return to
  }

  #find(session: string): v.InferOutput<typeof sessionRow> | null {
    const [found] = this.#sql.exec('SELECT * FROM card_sessions WHERE session = ?', session).toArray()
    return found === undefined ? null : v.parse(sessionRow, found)
  }
}
