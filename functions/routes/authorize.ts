import * as oidc from 'openid-client'
import * as v from 'valibot'
import type { authorizeAnswer } from '../../contract/auth/user-calls.ts'
import { BODY_MAX, readText } from '../../contract/wire/body-limits.ts'
import { id } from '../../contract/wire/envelope.ts'
import { safePath } from '../../src/domain/navigation/safe-redirect.ts'
import { EdgeError, signInDown, signInSlow } from '../lib/edge-error.ts'
import { randomText } from '../lib/byte-encoding.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { addTransaction, readSessionId, readPendingAuthorizations } from '../lib/auth/session-cookies.ts'
import { isForm } from '../lib/security/csrf.ts'
import { parseJson } from '../lib/parse-json.ts'
import { authorizeUrl, toOidcFailure, provider } from '../lib/auth/oidc-client.ts'
import { limitSignIns } from '../lib/security/rate-limit.ts'
import { codeVerifier, type Transaction } from '../lib/auth/pending-authorizations.ts'

const path = v.pipe(
  v.string(),
  v.check((value) => value === '' || safePath(value) !== null),
)
const jsonRequest = v.object({ state: path, kount_session_id: id })
/** A page without JavaScript has no device session id, so the edge creates one. */
const formRequest = v.object({ state: v.optional(path, ''), kount_session_id: v.optional(id) })

/**
 * Starts a sign-in: returns the authorization URL and stores the pending authorization request in an encrypted cookie
 * (OPEN-01, OPEN-02, OPEN-09).
 */
export async function authorize(c: EdgeContext): Promise<Response> {
  await limitSignIns(c)
  const { settings } = c.var
  const now = Date.now()
  const { state, kount } = await readRequest(c)
  const former = readSessionId(c)
  const pending: Transaction = {
    handle: randomText(9),
    verifier: codeVerifier(now, randomText(32)),
    nonce: randomText(32),
    state,
    kount,
    at: now,
    ...(former !== null && { former }),
  }
  const challenge = await oidc.calculatePKCECodeChallenge(pending.verifier)
  const found = await provider(settings, now).catch((error: unknown) => {
    throw toOidcFailure(error).kind === 'slow' ? signInSlow() : signInDown()
  })
  const url = authorizeUrl(found, settings, { state, kount, challenge, nonce: pending.nonce }).href
  await addTransaction(c, pending, await readPendingAuthorizations(c, now))
  if (isForm(c)) return c.redirect(url, 303)
  return c.json({ code: 200, url, code_challenge: challenge } satisfies v.InferInput<typeof authorizeAnswer>)
}

async function readRequest(c: EdgeContext): Promise<{ state: string; kount: string }> {
  const text = await readText(c.req.raw, BODY_MAX.session)
  const input = isForm(c) ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text)
  const request = v.safeParse(isForm(c) ? formRequest : jsonRequest, input)
  if (!request.success)
    throw new EdgeError(400, 'A sign-in starts with the path to come back to and a device session id.')
  return { state: request.output.state, kount: request.output.kount_session_id ?? randomText(24) }
}
