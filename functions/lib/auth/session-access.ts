import type { DurableObjectStub } from '@cloudflare/workers-types'
import { restrictNamespace } from '../../../contract/jurisdiction.ts'
import type { Session } from '../../session.ts'
import { createProviderDownError, createSignedOutError, type EdgeError } from '../edge-error.ts'
import type { EdgeContext } from '../edge-context.ts'
import { readSessionId } from './session-cookies.ts'
import { EXPIRY_MARGIN_MS, type RefreshResult, type SessionView } from './session-record.ts'

export interface SessionAccess {
  readonly id: string
  readonly stub: DurableObjectStub<Session>
  readonly view: SessionView
}

/** Returns the namespace of sessions in the deployment's jurisdiction. */
export const getSessionNamespace = (c: EdgeContext) => restrictNamespace(c.env.SESSIONS, c.var.settings.JURISDICTION)

export function getSessionStub(c: EdgeContext, id: string): DurableObjectStub<Session> {
  const sessions = getSessionNamespace(c)
  return sessions.get(sessions.idFromName(id))
}

/**
 * Returns the session of the request's cookie; null if there is none. Calls no Durable Object if the HMAC tag of the
 * cookie is invalid.
 */
export async function findSession(c: EdgeContext): Promise<SessionAccess | null> {
  const id = readSessionId(c)
  if (id === null) return null
  const stub = getSessionStub(c, id)
  const view = await stub.read()
  return view ? { id, stub, view } : null
}

/**
 * Returns the session; null if there is none or it cannot be reached. For requests that must succeed even without a
 * session.
 */
export async function peekSession(c: EdgeContext): Promise<SessionView | null> {
  const access = await findSession(c).catch(() => null)
  return access?.view ?? null
}

/**
 * Returns the session, with refreshed tokens if the access token expires soon. Throws an `EdgeError` if there is no
 * valid session, or if the access token has expired and the refresh fails.
 */
export async function requireFreshSession(c: EdgeContext): Promise<SessionAccess> {
  const access = await findSession(c)
  if (!access) throw createSignedOutError()
  if (access.view.expiresAt - EXPIRY_MARGIN_MS > Date.now()) return access
  const result = await access.stub.refresh(access.view.handle)
  if (result.kind === 'current') return { ...access, view: result.view }
  // If the refresh fails, use the old access token until it expires.
  if (result.kind !== 'ended' && access.view.expiresAt > Date.now()) return access
  throw toRefreshError(result)
}

export function toRefreshError(result: Exclude<RefreshResult, { kind: 'current' }>): EdgeError {
  return result.kind === 'ended' ? createSignedOutError() : createProviderDownError()
}
