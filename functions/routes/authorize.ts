import * as oidc from 'openid-client'
import * as v from 'valibot'
import type { authorizeResponse } from '../../contract/auth/user-calls.ts'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { id } from '../../contract/wire/envelope.ts'
import { toSafePath } from '../../src/domain/navigation/safe-redirect.ts'
import { EdgeError, createSignInDownError, createSignInTimeoutError } from '../lib/edge-error.ts'
import { createRandomText } from '../lib/byte-encoding.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { addPendingAuthorization, readSessionId, readPendingAuthorizations } from '../lib/auth/session-cookies.ts'
import { isFormRequest } from '../lib/security/csrf.ts'
import { parseJson } from '../lib/parse-json.ts'
import { buildAuthorizeUrl, toOidcFailure, getIssuerConfiguration } from '../lib/auth/oidc-client.ts'
import { limitSignIns } from '../lib/security/rate-limit.ts'
import { createCodeVerifier, type PendingAuthorization } from '../lib/auth/pending-authorizations.ts'

const path = v.pipe(
  v.string(),
  v.check((value) => value === '' || toSafePath(value) !== null),
)
const jsonRequest = v.object({ state: path, kount_session_id: id })
/** A page without JavaScript has no device session id, so the edge creates one. */
const formRequest = v.object({ state: v.optional(path, ''), kount_session_id: v.optional(id) })

/** Returns the authorization URL to a page, or redirects a plain form post to this URL (OPEN-01, OPEN-02, OPEN-09). */
export async function handleAuthorize(c: EdgeContext): Promise<Response> {
  await limitSignIns(c)
  const { url, challenge } = await startAuthorization(c, await readRequest(c))
  if (isFormRequest(c)) return c.redirect(url, 303)
  return c.json({ code: 200, url, code_challenge: challenge } satisfies v.InferInput<typeof authorizeResponse>)
}

/** `prompt` replaces the prompt of the settings. */
interface AuthorizationRequest {
  readonly state: string
  readonly kount: string
  readonly prompt?: string | undefined
}

/** Stores the pending authorization request in an encrypted cookie, and returns the authorization URL. */
export async function startAuthorization(
  c: EdgeContext,
  { state, kount, prompt }: AuthorizationRequest,
): Promise<{ url: string; challenge: string }> {
  const { settings } = c.var
  const now = Date.now()
  const former = readSessionId(c)
  const pending: PendingAuthorization = {
    handle: createRandomText(9),
    verifier: createCodeVerifier(now, createRandomText(32)),
    nonce: createRandomText(32),
    state,
    kount,
    at: now,
    ...(former !== null && { former }),
  }
  const challenge = await oidc.calculatePKCECodeChallenge(pending.verifier)
  const configuration = await getIssuerConfiguration(settings, now).catch((error: unknown) => {
    throw toOidcFailure(error).kind === 'slow' ? createSignInTimeoutError() : createSignInDownError()
  })
  const url = buildAuthorizeUrl(configuration, settings, { state, kount, challenge, nonce: pending.nonce, prompt }).href
  await addPendingAuthorization(c, pending, await readPendingAuthorizations(c, now))
  return { url, challenge }
}

async function readRequest(c: EdgeContext): Promise<{ state: string; kount: string }> {
  const text = await readText(c.req.raw, BODY_BYTES_MAX.session)
  const input = isFormRequest(c) ? Object.fromEntries(new URLSearchParams(text)) : parseJson(text)
  const request = v.safeParse(isFormRequest(c) ? formRequest : jsonRequest, input)
  if (!request.success) throw new EdgeError(400, 'A login request needs a return path and a device session ID.')
  return { state: request.output.state, kount: request.output.kount_session_id ?? createRandomText(24) }
}
