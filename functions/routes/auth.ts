import { Hono } from 'hono'
import * as v from 'valibot'
import type { userResponse, refreshResponse } from '../../contract/auth/user-calls.ts'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { PREFER_200_IF_SIGNED_OUT } from '../../contract/wire/constants.ts'
import { toRefreshError, findSession, getSessionStub } from '../lib/auth/session-access.ts'
import { EdgeError, createSignedOutError } from '../lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import {
  clearSessionCookies,
  usesPreviousCookieKey,
  readSessionId,
  setSessionCookies,
  setXsrfCookie,
} from '../lib/auth/session-cookies.ts'
import { parseJson } from '../lib/parse-json.ts'
import { handleAuthorize } from './authorize.ts'
import { handleCallback } from './callback.ts'
import { handleLogout } from './logout.ts'
import { handleSessionEnd, handleSessionList, tryAddToSessionList } from './sessions.ts'
import { handleSignUp, handleSignUpStatus } from './sign-up.ts'

const refreshRequest = v.object({ generation: v.pipe(v.string(), v.maxLength(100)) })

export const authRoutes = new Hono<EdgeEnv>()
  .post('/authorize', handleAuthorize)
  .get('/callback', handleCallback)
  .get('/sign-up', handleSignUp)
  .get('/sign-up-status', handleSignUpStatus)
  .get('/me', handleMe)
  .post('/refresh', handleRefresh)
  .post('/logout', handleLogout)
  .get('/sessions', handleSessionList)
  .post('/sessions/end', handleSessionEnd)

async function handleMe(c: EdgeContext) {
  setXsrfCookie(c)
  const access = await findSession(c)
  if (!access) {
    clearSessionCookies(c)
    const error = createSignedOutError()
    if (c.req.header('prefer') !== PREFER_200_IF_SIGNED_OUT) throw error
    return c.json({ code: error.code, msg: error.message })
  }
  const { email, userId, handle, endsAt } = access.view
  if (usesPreviousCookieKey(c)) setSessionCookies(c, access.id, endsAt)
  await tryAddToSessionList(c, access)
  const ends = Math.floor(endsAt / 1000)
  return c.json({ code: 200, user_account: email, user_id: userId, web_app_token: handle, ends } satisfies v.InferInput<
    typeof userResponse
  >)
}

/**
 * Refreshes the session's tokens. `generation`: handle of the tokens with which a call failed. Makes no token call if
 * newer tokens exist already.
 */
async function handleRefresh(c: EdgeContext) {
  const request = v.safeParse(refreshRequest, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.session)))
  if (!request.success) throw new EdgeError(400, 'The token generation is missing or invalid.')
  const id = readSessionId(c)
  const result =
    id === null ? ({ kind: 'ended' } as const) : await getSessionStub(c, id).refresh(request.output.generation)
  if (id === null || result.kind === 'ended') clearSessionCookies(c)
  if (id === null || result.kind !== 'current')
    throw toRefreshError(result.kind === 'current' ? { kind: 'ended' } : result)
  setSessionCookies(c, id, result.view.endsAt)
  return c.json({ code: 200, access_token: result.view.handle } satisfies v.InferInput<typeof refreshResponse>)
}
