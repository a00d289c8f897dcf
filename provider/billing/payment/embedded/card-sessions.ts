import { createHash, randomBytes } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { CARD_TICKET_MS } from '../../../../contract/billing/payment-calls.ts'
import { findTestOutcome } from '../../../../contract/billing/test-cards.ts'
import { isEqualConstantTime } from '../../../platform/crypto/constant-time-equal.ts'
import { findMethod, putMethod, type NewMethod } from './payment-method-rows.ts'
import type { CardPurpose, TakenMethod } from '../gateway-interface.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Time from the ticket until the card page closes and a return is no longer accepted. */
export const CARD_PAGE_MS = 1_800_000
/** Retention of a card session. After that, its payment method can no longer be claimed. */
const KEPT_MS = DAY_MS

/**
 * `waiting`: the ticket is not used yet. `open`: the form is shown. `asked`: the bank asks for a confirmation. `saved`:
 * a method is stored and waits for its claim. `kept`: the account has claimed it. `refused`: the confirmation was
 * refused. `left`: the session ended without a card.
 */
const state = v.picklist(['waiting', 'open', 'asked', 'saved', 'kept', 'refused', 'left'])
export type CardState = v.InferOutput<typeof state>
const row = v.object({
  email: v.string(),
  lines: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  state,
  token: v.nullable(v.string()),
  opened_at: v.number(),
  proof_hash: v.nullable(v.string()),
})

const hashProof = (proof: string) => createHash('sha256').update(proof).digest('hex')

export interface CardView extends CardPurpose {
  readonly state: CardState
}

/**
 * Result of a form post on the card page. `proof`: secret with which the browser that sent the form claims the method;
 * null unless a method is saved.
 */
export interface CardStep {
  readonly state: CardState
  readonly proof: string | null
}

/** Sessions of the card page in the gateway's SQL storage. Times in ms UTC. */
export class CardSessions {
  private readonly sql: SqlStorage
  constructor(sql: SqlStorage) {
    this.sql = sql
  }

  open(session: string, { email, lines }: CardPurpose, now: number): void {
    this.sql.exec('DELETE FROM card_sessions WHERE opened_at < ?', now - KEPT_MS)
    this.sql.exec(
      `INSERT INTO card_sessions (session, email, lines, state, opened_at) VALUES (?, ?, ?, 'waiting', ?)`,
      ...[session, email, JSON.stringify(lines), now],
    )
  }

  /** Consumes the ticket; returns true if it was still valid. */
  enter(session: string, now: number): boolean {
    const { rowsWritten } = this.sql.exec(
      `UPDATE card_sessions SET state = 'open' WHERE session = ? AND state = 'waiting' AND opened_at > ?`,
      ...[session, now - CARD_TICKET_MS],
    )
    return rowsWritten > 0
  }

  /** Returns purpose and state of the session; null if the session does not exist or has expired. */
  view(session: string, now: number): CardView | null {
    const found = this.find(session)
    if (found === null || found.opened_at <= now - CARD_PAGE_MS) return null
    return { email: found.email, lines: found.lines, state: found.state }
  }

  /**
   * Stores the typed method and returns the session's state. A session that is not open, or has expired, stays
   * unchanged.
   */
  save(session: string, method: NewMethod, now: number): CardStep | null {
    const seen = this.view(session, now)
    if (seen?.state !== 'open') return this.issueProof(session, seen?.state ?? null)
    const token = putMethod(this.sql, method, now)
    return this.issueProof(
      session,
      this.become(session, findTestOutcome(method) === 'confirms' ? 'asked' : 'saved', token),
    )
  }

  confirm(session: string, accepted: boolean, now: number): CardStep | null {
    const seen = this.view(session, now)
    if (seen?.state !== 'asked') return this.issueProof(session, seen?.state ?? null)
    const token = this.find(session)?.token ?? null
    return this.issueProof(session, accepted ? this.become(session, 'saved', token) : this.drop(session, 'refused'))
  }

  /** Ends the session without a card, unless one is saved. */
  leave(session: string, now: number): CardStep | null {
    const seen = this.view(session, now)
    const isOpen = seen?.state === 'open' || seen?.state === 'asked'
    return this.issueProof(session, isOpen ? this.drop(session, 'left') : (seen?.state ?? null))
  }

  /** Releases the method of a session to its account if the proof is right. A repeated claim gets the same method. */
  claimMethod(session: string, proof: string | null, now: number): TakenMethod {
    const found = this.find(session)
    if (found === null || found.token === null || found.opened_at <= now - KEPT_MS) return null
    if (found.state === 'kept') return findMethod(this.sql, found.token)
    if (found.state !== 'saved' || found.opened_at <= now - CARD_PAGE_MS) return null
    const isProven =
      proof !== null && found.proof_hash !== null && isEqualConstantTime(hashProof(proof), found.proof_hash)
    if (!isProven) return 'unproven'
    this.sql.exec(`UPDATE card_sessions SET state = 'kept', proof_hash = NULL WHERE session = ?`, session)
    return findMethod(this.sql, found.token)
  }

  /**
   * Deletes expired sessions whose method was not claimed, and their methods. Returns when the next such session
   * expires, ms UTC; null if none is left.
   */
  deleteUnreturnedSessions(now: number): number | null {
    const ended = `state <> 'kept' AND opened_at <= ?`
    const tokens = `SELECT token FROM card_sessions WHERE token IS NOT NULL AND ${ended}`
    this.sql.exec(`DELETE FROM methods WHERE token IN (${tokens})`, now - CARD_PAGE_MS)
    this.sql.exec(`DELETE FROM card_sessions WHERE ${ended}`, now - CARD_PAGE_MS)
    const [first] = this.sql
      .exec<{ opened_at: number }>(
        `SELECT opened_at FROM card_sessions WHERE state <> 'kept' ORDER BY opened_at LIMIT 1`,
      )
      .toArray()
    return first === undefined ? null : first.opened_at + CARD_PAGE_MS
  }

  /**
   * Issues a proof for a saved session. If a form is sent twice, the second proof replaces the first, because the
   * browser follows the last response.
   */
  private issueProof(session: string, state: CardState | null): CardStep | null {
    if (state !== 'saved') return state && { state, proof: null }
    const proof = randomBytes(32).toString('base64url')
    this.sql.exec('UPDATE card_sessions SET proof_hash = ? WHERE session = ?', hashProof(proof), session)
    return { state, proof }
  }

  private drop(session: string, to: 'refused' | 'left'): CardState {
    this.sql.exec('DELETE FROM methods WHERE token = ?', this.find(session)?.token ?? '')
    return this.become(session, to, null)
  }

  private become(session: string, to: CardState, token: string | null): CardState {
    this.sql.exec('UPDATE card_sessions SET state = ?, token = ? WHERE session = ?', to, token, session)
    return to
  }

  private find(session: string): v.InferOutput<typeof row> | null {
    const [found] = this.sql.exec('SELECT * FROM card_sessions WHERE session = ?', session).toArray()
    return found === undefined ? null : v.parse(row, found)
  }
}
