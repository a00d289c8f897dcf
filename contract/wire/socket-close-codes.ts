/**
 * Codes with which the provider closes a WebSocket. The bridge and the feed reconnect after every code. A live viewer
 * treats every application code except `CLOSE_RATE_LIMITED` as final.
 */

/** Any socket: the provider could not handle the connection; the client may reconnect (RFC 6455, 7.4.1). */
export const CLOSE_INTERNAL_ERROR = 1011

/** First application code (RFC 6455, 7.4.2). */
export const FIRST_APPLICATION_CODE = 4000

/** Bridge: another connection replaced this one. */
export const CLOSE_REPLACED = 4001
/** Bridge: it sent no message for too long. */
export const CLOSE_SILENT = 4002
/** Bridge: its key or its homes changed. */
export const CLOSE_REENROLLED = 4003
/** Bridge: its owner removed it. */
export const CLOSE_REVOKED = 4004

/** Any socket: the client exceeded its rate limit; it may reconnect and must send less. */
export const CLOSE_RATE_LIMITED = 4008

/** Page: the account signed out. */
export const CLOSE_SIGNED_OUT = 4401
/** Page: the account may no longer see the content of this socket. */
export const CLOSE_NO_ACCESS = 4403
