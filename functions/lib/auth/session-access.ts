import type { DurableObjectStub } from '@cloudflare/workers-types'
import type { Session } from '../../session.ts'
import { providerDown, signedOut, type EdgeError } from '../edge-error.ts'
import type { EdgeContext } from '../edge-context.ts'
import { readSessionId } from './session-cookies.ts'
import { EXPIRY_MARGIN_MS, type RefreshResult, type SessionView } from './session-record.ts'

export interface Access {
  readonly id: string
  readonly stub: DurableObjectStub<Session>
  readonly view: SessionView
}

export function sessionStub(c: EdgeContext, id: string): DurableObjectStub<Session> {
  return c.env.SESSIONS.get(c.env.SESSIONS.idFromName(id))
}

/** The session of the request's cookie, or null. A cookie without our tag reaches no Durable Object. */
export async function findSession(c: EdgeContext): Promise<Access | null> {
  const id = readSessionId(c)
  if (id === null) return null
  const stub = sessionStub(c, id)
  const view = await stub.read()
  return view ? { id, stub, view } : null
}

/**
 * The same for what nobody waits for: who sends it, or null. Sessions that cannot be reached are nobody's, and what is sent is
 * taken all the same.
 */
export async function peekSession(c: EdgeContext): Promise<SessionView | null> {
  const access = await findSession(c).catch(() => null)
  return access?.view ?? null
}

/** The session with an access token that should still be good. Throws a `EdgeRefusal` when there is none. */
export async function requireFreshSession(c: EdgeContext): Promise<Access> {
  const access = await findSession(c)
  if (!access) throw signedOut()
  if (access.view.expiresAt - EXPIRY_MARGIN_MS > Date.now()) return access
  const result = await access.stub.refresh(access.view.handle)
  if (result.kind === 'current') return { ...access, view: result.view }
  // Nearly over is still good: while nobody can renew it, it is used to its last second.
  if (result.kind !== 'ended' && access.view.expiresAt > Date.now()) return access
  throw toRefreshError(result)
}

export function toRefreshError(result: Exclude<RefreshResult, { kind: 'current' }>): EdgeError {
  return result.kind === 'ended' ? signedOut() : providerDown()
}
