/**
 * Codes with which the provider closes a WebSocket for good: who reads one does not open the same socket again, save
 * where a comment says so.
 */

/** First of the codes that an application may give a meaning (RFC 6455, 7.4.2). */
export const FIRST_OWN_CODE = 4000

/** A bridge: another connection of it has replaced this one. */
export const REPLACED = 4001
/** A bridge: it was not heard for too long; it connects again. */
export const SILENT = 4002
/** A bridge: its key, name or homes have changed; it connects again. */
export const REENROLLED = 4003
/** A bridge: its owner has removed it. */
export const REVOKED = 4004

/** Any socket: more was sent over it than its budget; it may be opened again, and sends less. */
export const FLOODED = 4008

/** A page: its account has signed out; a new ticket is needed. */
export const SIGNED_OUT = 4401
/** A page: its account may no longer see what the socket shows. */
export const NO_ACCESS = 4403
