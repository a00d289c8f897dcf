import type { SqlStorage } from '@cloudflare/workers-types'

/** Tables behind single-use tickets, the same in each Durable Object that accepts them. */
export const TICKET_TABLES = `
  CREATE TABLE used_tickets (jti TEXT PRIMARY KEY, exp INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE signed_out (user_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
`

/** How long the use of a ticket may be in memory only. */
const WRITE_AFTER_MS = 500

/** Uses that are not written down yet, with the end of each ticket, by the object whose storage it is. */
const unwritten = new WeakMap<SqlStorage, Map<string, number>>()

/**
 * Marks the ticket used. False when it was used before, or was made before its account signed out. The use is written down
 * a moment later: no socket waits for the disk (docs/decisions/0008).
 */
export function spendTicket(
  sql: SqlStorage,
  ticket: { jti: string; user: string; iat: number; exp: number },
  now: number,
): boolean {
  const out = sql.exec<{ at: number }>('SELECT at FROM signed_out WHERE user_id = ?', ticket.user).toArray()[0]
  if ((out && ticket.iat <= out.at) || isSpent(sql, ticket.jti)) return false
  const uses = unwritten.get(sql) ?? new Map<string, number>()
  if (uses.size === 0) setTimeout(() => writeUses(sql, uses, now), WRITE_AFTER_MS)
  unwritten.set(sql, uses.set(ticket.jti, ticket.exp))
  return true
}

function isSpent(sql: SqlStorage, jti: string): boolean {
  if (unwritten.get(sql)?.has(jti)) return true
  return sql.exec('SELECT 1 FROM used_tickets WHERE jti = ?', jti).toArray().length > 0
}

function writeUses(sql: SqlStorage, uses: Map<string, number>, now: number): void {
  sql.exec('DELETE FROM used_tickets WHERE exp < ?', now)
  for (const [jti, exp] of uses) sql.exec('INSERT OR IGNORE INTO used_tickets (jti, exp) VALUES (?, ?)', jti, exp)
  uses.clear()
}

/** Tickets of the account that are still unused open nothing from now on. */
export function refuseTicketsBefore(sql: SqlStorage, userId: string, at: number): void {
  sql.exec('INSERT INTO signed_out (user_id, at) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET at = ?2', userId, at)
}
