import { Hono } from 'hono'
import * as v from 'valibot'
import type { meAnswer, refreshAnswer } from '../../contract/auth/user-calls.ts'
import { BODY_MAX, readText } from '../../contract/wire/body-limits.ts'
import { NOBODY_IS_AN_ANSWER } from '../../contract/wire/constants.ts'
import { toRefreshError, findSession, sessionStub } from '../lib/auth/session-access.ts'
import { EdgeError, signedOut } from '../lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import {
  clearSessionCookies,
  isOfOldKey,
  readSessionId,
  setSessionCookies,
  setXsrfCookie,
} from '../lib/auth/session-cookies.ts'
import { parseJson } from '../lib/parse-json.ts'
import { authorize } from './authorize.ts'
import { callback } from './callback.ts'
import { logout } from './logout.ts'
import { handleSessionEnd, sessions, tryToEnlist } from './sessions.ts'

const refreshRequest = v.object({ generation: v.pipe(v.string(), v.maxLength(100)) })

export const auth = new Hono<EdgeEnv>()
  .post('/authorize', authorize)
  .get('/callback', callback)
  .get('/me', me)
  .post('/refresh', refresh)
  .post('/logout', logout)
  .get('/sessions', sessions)
  .post('/sessions/end', handleSessionEnd)

async function me(c: EdgeContext) {
  setXsrfCookie(c)
  const access = await findSession(c)
  if (!access) {
    clearSessionCookies(c)
    const refusal = signedOut()
    if (c.req.header('prefer') !== NOBODY_IS_AN_ANSWER) throw refusal
    return c.json({ code: refusal.code, msg: refusal.message })
  }
  const { email, userId, handle, endsAt } = access.view
  if (isOfOldKey(c)) setSessionCookies(c, access.id, endsAt)
  await tryToEnlist(c, access)
  const ends = Math.floor(endsAt / 1000)
  return c.json({ code: 200, user_account: email, user_id: userId, web_app_token: handle, ends } satisfies v.InferInput<
    typeof meAnswer
  >)
}

/**
 * Refreshes the session's tokens. `generation` is the handle of the token generation whose call failed. If that
 * generation has already been replaced, no token call is made.
 */
async function refresh(c: EdgeContext) {
  const request = v.safeParse(refreshRequest, parseJson(await readText(c.req.raw, BODY_MAX.session)))
  if (!request.success) throw new EdgeError(400, 'This request does not name a token generation.')
  const id = readSessionId(c)
  const result =
    id === null ? ({ kind: 'ended' } as const) : await sessionStub(c, id).refresh(request.output.generation)
  if (id === null || result.kind === 'ended') clearSessionCookies(c)
  if (id === null || result.kind !== 'current')
    throw toRefreshError(result.kind === 'current' ? { kind: 'ended' } : result)
  setSessionCookies(c, id, result.view.endsAt)
  return c.json({ code: 200, access_token: result.view.handle } satisfies v.InferInput<typeof refreshAnswer>)
}
