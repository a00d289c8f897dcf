/**
 * Codes with which the provider closes a WebSocket permanently: the client does not reopen it, unless a comment says
 * so.
 */

/** First application code (RFC 6455, 7.4.2). */
export const FIRST_OWN_CODE = 4000

/** Bridge: another connection replaced this one. */
export const REPLACED = 4001
/** Bridge: it sent no message for too long; it reconnects. */
export const SILENT = 4002
/** Bridge: its key, name or homes changed; it reconnects. */
export const REENROLLED = 4003
/** Bridge: its owner removed it. */
export const REVOKED = 4004

/** Any socket: the client exceeded its rate limit; it may reconnect and must send less. */
export const FLOODED = 4008

/** Page: the account signed out; a new ticket is needed. */
export const SIGNED_OUT = 4401
/** Page: the account may no longer see the content of this socket. */
export const NO_ACCESS = 4403
