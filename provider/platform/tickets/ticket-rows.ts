import type { SqlStorage } from '@cloudflare/workers-types'

/**
 * SQL that creates the tables for used and invalidated tickets. Every Durable Object that accepts socket tickets has
 * these tables.
 */
export const TICKET_TABLES = `
  CREATE TABLE used_tickets (jti TEXT PRIMARY KEY, exp INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE signed_out (user_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
`

/**
 * Marks the ticket as used. Returns false if it was already used, or if `invalidateTicketsBefore` has invalidated it.
 */
export function consumeTicket(
  sql: SqlStorage,
  ticket: { jti: string; user: string; iat: number; exp: number },
  now: number,
): boolean {
  sql.exec('DELETE FROM used_tickets WHERE exp < ?', now)
  const signOut = sql.exec<{ at: number }>('SELECT at FROM signed_out WHERE user_id = ?', ticket.user).toArray()[0]
  if (signOut && ticket.iat <= signOut.at) return false
  return sql.exec('INSERT OR IGNORE INTO used_tickets (jti, exp) VALUES (?, ?)', ticket.jti, ticket.exp).rowsWritten > 0
}

/** Invalidates the account's unused tickets that were created at or before `at`. */
export function invalidateTicketsBefore(sql: SqlStorage, userId: string, at: number): void {
  sql.exec('INSERT INTO signed_out (user_id, at) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET at = ?2', userId, at)
}
