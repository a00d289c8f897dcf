import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SESSION_COOKIE, SIGNED_IN_COOKIE, XSRF_COOKIE } from '../../../contract/wire/constants.ts'
import { randomText } from '../byte-encoding.ts'
import type { EdgeContext } from '../edge-context.ts'
import { openSessionCookie, tagSessionId } from './session-id.ts'
import {
  howManyFit,
  readTransactions,
  sealTransaction,
  TRANSACTION_MS,
  transactionCookie,
  type Transaction,
} from './pending-authorizations.ts'

const base = { path: '/', secure: true } as const
const session = { ...base, httpOnly: true, sameSite: 'Strict' } as const
const pending = { ...base, httpOnly: true, sameSite: 'Lax' } as const
const readable = { ...base, sameSite: 'Strict' } as const
const XSRF_SHAPE = /^[A-Za-z0-9_-]{22}$/

export function readSessionId(c: EdgeContext): string | null {
  return openSessionCookie(getCookie(c, SESSION_COOKIE), c.var.settings.cookieKeys)
}

/** Returns true if the session cookie uses the previous key: it must be rewritten before the next key rotation. */
export function isOfOldKey(c: EdgeContext): boolean {
  return openSessionCookie(getCookie(c, SESSION_COOKIE), c.var.settings.cookieKeys.slice(0, 1)) === null
}

/** Sets the session cookies. They live for the idle timeout, at most until the session ends (`endsAt`, ms UTC). */
export function setSessionCookies(c: EdgeContext, id: string, endsAt: number): void {
  const left = Math.min(c.var.settings.sessionIdleMs, endsAt - Date.now())
  const lasting = { maxAge: Math.max(1, Math.ceil(left / 1000)) }
  setCookie(c, SESSION_COOKIE, tagSessionId(id, c.var.settings.COOKIE_KEY), { ...session, ...lasting })
  setCookie(c, SIGNED_IN_COOKIE, '1', { ...readable, ...lasting })
}

export function clearSessionCookies(c: EdgeContext): void {
  if (getCookie(c, SESSION_COOKIE) === undefined && getCookie(c, SIGNED_IN_COOKIE) === undefined) return
  deleteCookie(c, SESSION_COOKIE, session)
  deleteCookie(c, SIGNED_IN_COOKIE, readable)
}

/** Sets the XSRF cookie that scripts can read. Keeps an existing value, because other tabs already use it. */
export function setXsrfCookie(c: EdgeContext): void {
  const present = getCookie(c, XSRF_COOKIE)
  setCookie(c, XSRF_COOKIE, present && XSRF_SHAPE.test(present) ? present : randomText(16), readable)
}

/** Returns the browser's pending authorization requests, newest first. */
export function readPendingAuthorizations(c: EdgeContext, now: number): Promise<Transaction[]> {
  return readTransactions(getCookie(c), c.var.settings.cookieKeys, now)
}

/** Stores `authorization` and deletes the oldest of `others` that do not fit beside it. */
export async function addTransaction(
  c: EdgeContext,
  authorization: Transaction,
  others: readonly Transaction[],
): Promise<void> {
  const sealed = await storePendingAuthorization(c, authorization)
  const lengths = others.map((other) => (getCookie(c, transactionCookie(other)) ?? '').length)
  const fits = howManyFit([sealed.length, ...lengths].map((length) => length + transactionCookie(authorization).length))
  dropTransactions(c, others.slice(fits - 1))
}

export async function storePendingAuthorization(c: EdgeContext, authorization: Transaction): Promise<string> {
  const sealed = await sealTransaction(authorization, c.var.settings.COOKIE_KEY)
  setCookie(c, transactionCookie(authorization), sealed, { ...pending, maxAge: TRANSACTION_MS / 1000 })
  return sealed
}

export function dropTransactions(c: EdgeContext, list: readonly Transaction[]): void {
  for (const authorization of list) deleteCookie(c, transactionCookie(authorization), pending)
}
