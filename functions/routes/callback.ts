import { deleteCookie, getCookie } from 'hono/cookie'
import { TIME_ZONE_COOKIE } from '../../contract/wire/constants.ts'
import { explainIssuerFailure } from '../../contract/auth/issuer-failure.ts'
import { toSafePath } from '../../src/domain/navigation/safe-redirect.ts'
import { getSessionStub } from '../lib/auth/session-access.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import {
  deletePendingAuthorizations,
  storePendingAuthorization,
  setSessionCookies,
  readPendingAuthorizations,
} from '../lib/auth/session-cookies.ts'
import { toOidcFailure } from '../lib/auth/oidc-client.ts'
import { createSessionId } from '../lib/auth/session-id.ts'
import { completeSignIn } from '../lib/auth/complete-sign-in.ts'
import type { PendingAuthorization } from '../lib/auth/pending-authorizations.ts'
import { callUserStatus } from '../lib/proxy/user-calls.ts'
import { tryAddToSessionList } from './sessions.ts'

const ERROR_CODE_PATTERN = /^[a-z_]{1,40}$/

/**
 * Completes OAuth sign-ins (OPEN-04): exchanges the code, opens a new session and redirects to `/user/callback`, which
 * opens the requested page. Every failure redirects to `/user/redirect` with its code.
 */
export async function handleCallback(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const query = new URL(c.req.url).searchParams
  const state = query.get('state') ?? ''
  const pendingAuthorizations = await readPendingAuthorizations(c, now)
  const candidates = pendingAuthorizations.filter((authorization) => authorization.state === state)
  const error = query.get('error')
  if (error !== null) {
    deletePendingAuthorizations(c, candidates.slice(0, 1))
    return redirectWithError(c, ERROR_CODE_PATTERN.test(error) ? error : 'server_error')
  }
  if (candidates.length === 0) return redirectWithError(c, 'invalid_request')
  return completeAnyPending(c, pendingAuthorizations, candidates)
}

/**
 * Tries the pending authorization requests, newest first, until one completes the sign-in or fails with an error other
 * than `invalid_grant`. Two tabs that requested the same page share `state`, so only the code verifier distinguishes
 * their requests.
 */
async function completeAnyPending(
  c: EdgeContext,
  pendingAuthorizations: readonly PendingAuthorization[],
  candidates: readonly PendingAuthorization[],
): Promise<Response> {
  let code = 'invalid_request'
  for (const pending of candidates) {
    try {
      const id = createSessionId()
      const stub = getSessionStub(c, id)
      const search = new URL(c.req.url).search
      const view = await completeSignIn(c.var.settings, search, pending, Date.now, ({ tokens, identity }) =>
        stub.start(tokens, identity),
      )
      if (pending.former !== undefined) await getSessionStub(c, pending.former).replace(view.userId)
      // Another tab may complete its sign-in later. Its session must then replace this new session.
      for (const authorization of pendingAuthorizations)
        if (authorization !== pending) await storePendingAuthorization(c, { ...authorization, former: id })
      deletePendingAuthorizations(c, [pending])
      setSessionCookies(c, id, view.endsAt)
      await tryAddToSessionList(c, { id, stub, view })
      const timeZone = getCookie(c, TIME_ZONE_COOKIE)
      if (timeZone !== undefined) deleteCookie(c, TIME_ZONE_COOKIE, { path: '/' })
      if (c.var.settings.servesUserCalls) c.executionCtx.waitUntil(callUserStatus(c.var, view.accessToken, timeZone))
      return c.redirect(getLandingUrl(c, pending.state), 302)
    } catch (error) {
      const failure = toOidcFailure(error)
      code =
        failure.kind === 'refused' && ERROR_CODE_PATTERN.test(failure.error) ? failure.error : 'temporarily_unavailable'
      console.error(`Login failed with ${code}: ${explainIssuerFailure(error)}`)
      if (code !== 'invalid_grant') break
    }
  }
  deletePendingAuthorizations(c, candidates)
  return redirectWithError(c, code)
}

function getLandingUrl(c: EdgeContext, state: string): string {
  const path = toSafePath(state)
  if (path === null) return '/user/callback'
  return `/user/callback?${new URLSearchParams({ redirect_uri: c.var.settings.PORTAL_ORIGIN + path }).toString()}`
}

function redirectWithError(c: EdgeContext, code: string): Response {
  return c.redirect(`/user/redirect?${new URLSearchParams({ error: code }).toString()}`, 302)
}
