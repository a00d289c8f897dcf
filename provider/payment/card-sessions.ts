import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { CARD_TICKET_MS } from '../../contract/payment.ts'
import { outcomeOf } from '../../contract/test-cards.ts'
import { methodOf, putMethod, type NewMethod } from './method-rows.ts'
import type { CardPurpose, GatewayMethod } from './port.ts'

/** A card page is open for so long after its ticket was made. */
export const CARD_PAGE_MS = 1_800_000
/** Then nobody comes back for its method any more. */
const KEPT_MS = 86_400_000

/**
 * `waiting`: the ticket is unused. `open`: the form is shown. `asked`: the bank wants a confirmation. `saved`: there is a method.
 * `refused`: the confirmation was. `left`: ended without a card.
 */
const state = v.picklist(['waiting', 'open', 'asked', 'saved', 'refused', 'left'])
export type CardState = v.InferOutput<typeof state>
const row = v.object({
  email: v.string(),
  lines: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  state,
  token: v.nullable(v.string()),
  opened_at: v.number(),
})

/** What the card page shows. */
export interface CardView extends CardPurpose {
  readonly state: CardState
}

/** Sessions of the card page in the SQL of a gateway. Times in ms UTC. */
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

  /** Spends the ticket: whether it was still good. */
  enter(session: string, now: number): boolean {
    const { rowsWritten } = this.sql.exec(
      `UPDATE card_sessions SET state = 'open' WHERE session = ? AND state = 'waiting' AND opened_at > ?`,
      ...[session, now - CARD_TICKET_MS],
    )
    return rowsWritten > 0
  }

  /** Null: there is none, or it is over. */
  view(session: string, now: number): CardView | null {
    const found = this.find(session)
    if (found === null || found.opened_at <= now - CARD_PAGE_MS) return null
    return { email: found.email, lines: found.lines, state: found.state }
  }

  /** Takes what was typed: what the session is then. A session that ends or is over stays as it is. */
  save(session: string, method: NewMethod, now: number): CardState | null {
    const seen = this.view(session, now)
    if (seen?.state !== 'open') return seen?.state ?? null
    const token = putMethod(this.sql, method, now)
    return this.become(session, outcomeOf(method) === 'confirms' ? 'asked' : 'saved', token)
  }

  /** The answer to the bank's question. */
  confirm(session: string, accepted: boolean, now: number): CardState | null {
    const seen = this.view(session, now)
    if (seen?.state !== 'asked') return seen?.state ?? null
    return accepted ? this.become(session, 'saved', this.find(session)?.token ?? null) : this.drop(session, 'refused')
  }

  /** Ends it without a card, unless one is saved. */
  leave(session: string, now: number): CardState | null {
    const seen = this.view(session, now)
    if (seen?.state !== 'open' && seen?.state !== 'asked') return seen?.state ?? null
    return this.drop(session, 'left')
  }

  method(session: string, now: number): GatewayMethod | null {
    const found = this.find(session)
    if (found?.state !== 'saved' || found.token === null || found.opened_at <= now - KEPT_MS) return null
    return methodOf(this.sql, found.token)
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
