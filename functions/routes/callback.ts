import { explainFailure } from '../../contract/auth/issuer-failure.ts'
import { safePath } from '../../src/domain/navigation/safe-redirect.ts'
import { sessionStub } from '../lib/auth/session-access.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import {
  dropTransactions,
  storePendingAuthorization,
  setSessionCookies,
  readPendingAuthorizations,
} from '../lib/auth/session-cookies.ts'
import { toOidcFailure } from '../lib/auth/oidc-client.ts'
import { newSessionId } from '../lib/auth/session-id.ts'
import { exchange } from '../lib/auth/complete-sign-in.ts'
import type { Transaction } from '../lib/auth/pending-authorizations.ts'
import { callUserStatus } from '../lib/proxy/user-calls.ts'
import { tryToEnlist } from './sessions.ts'

const ERROR_CODE = /^[a-z_]{1,40}$/

/**
 * OAuth callback (OPEN-04): exchanges the code, opens a new session and redirects to `/user/callback`, which knows the
 * requested page. Every failure redirects to `/user/redirect` with its code.
 */
export async function callback(c: EdgeContext): Promise<Response> {
  const now = Date.now()
  const query = new URL(c.req.url).searchParams
  const state = query.get('state') ?? ''
  const all = await readPendingAuthorizations(c, now)
  const candidates = all.filter((authorization) => authorization.state === state)
  const error = query.get('error')
  if (error !== null) {
    dropTransactions(c, candidates.slice(0, 1))
    return failed(c, ERROR_CODE.test(error) ? error : 'server_error')
  }
  if (candidates.length === 0) return failed(c, 'invalid_request')
  return signIn(c, all, candidates)
}

/**
 * Completes the sign-in. Two tabs that requested the same page share `state`, and only the code verifier tells them
 * apart, so each pending authorization request is tried, newest first.
 */
async function signIn(
  c: EdgeContext,
  all: readonly Transaction[],
  candidates: readonly Transaction[],
): Promise<Response> {
  let code = 'invalid_request'
  for (const pending of candidates) {
    try {
      const id = newSessionId()
      const stub = sessionStub(c, id)
      const search = new URL(c.req.url).search
      const view = await exchange(c.var.settings, search, pending, Date.now, ({ tokens, identity }) =>
        stub.start(tokens, identity),
      )
      if (pending.former !== undefined) await sessionStub(c, pending.former).replace(view.userId)
      // If another tab completes its sign-in, that sign-in must replace the new session.
      for (const authorization of all)
        if (authorization !== pending) await storePendingAuthorization(c, { ...authorization, former: id })
      dropTransactions(c, [pending])
      setSessionCookies(c, id, view.endsAt)
      await tryToEnlist(c, { id, stub, view })
      if (c.var.settings.servesUserCalls) c.executionCtx.waitUntil(callUserStatus(c.var, view.accessToken))
      return c.redirect(landing(c, pending.state), 302)
    } catch (error) {
      const failure = toOidcFailure(error)
      code = failure.kind === 'refused' && ERROR_CODE.test(failure.error) ? failure.error : 'temporarily_unavailable'
      console.error(`Sign-in failed with ${code}: ${explainFailure(error)}`)
      if (code !== 'invalid_grant') break
    }
  }
  dropTransactions(c, candidates)
  return failed(c, code)
}

function landing(c: EdgeContext, state: string): string {
  const path = safePath(state)
  if (path === null) return '/user/callback'
  return `/user/callback?${new URLSearchParams({ redirect_uri: c.var.settings.PORTAL_ORIGIN + path }).toString()}`
}

function failed(c: EdgeContext, code: string): Response {
  return c.redirect(`/user/redirect?${new URLSearchParams({ error: code }).toString()}`, 302)
}
