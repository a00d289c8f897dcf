/**
 * Codes with which the provider closes a WebSocket. The client reopens the socket only if the comment of its code says
 * so.
 */

/** First application code (RFC 6455, 7.4.2). */
export const FIRST_APPLICATION_CODE = 4000

/** Bridge: another connection replaced this one. */
export const CLOSE_REPLACED = 4001
/** Bridge: it sent no message for too long; it reconnects. */
export const CLOSE_SILENT = 4002
/** Bridge: its key, name or homes changed; it reconnects. */
export const CLOSE_REENROLLED = 4003
/** Bridge: its owner removed it. */
export const CLOSE_REVOKED = 4004

/** Any socket: the client exceeded its rate limit; it may reconnect and must send less. */
export const CLOSE_RATE_LIMITED = 4008

/** Page: the account signed out; reconnecting requires a new ticket. */
export const CLOSE_SIGNED_OUT = 4401
/** Page: the account may no longer see the content of this socket. */
export const CLOSE_NO_ACCESS = 4403
