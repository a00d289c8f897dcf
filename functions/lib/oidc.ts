import * as oidc from 'openid-client'
import { ANSWER_MAX, readBytes } from '../../contract/body.ts'
import type { Settings } from './env.ts'

/** Every call to the provider's OAuth endpoints gives up after 4 s. */
const TIMEOUT_S = 4
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export const callbackUrl = (settings: Settings): string => `${settings.PORTAL_ORIGIN}/api/auth/callback`

const discovered = new Map<string, oidc.Configuration>()

/**
 * The provider as its discovery document describes it. Kept per isolate once it has been read; a failed reading is not
 * kept, the next request tries again.
 */
export async function provider(settings: Settings): Promise<oidc.Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings
  const name = JSON.stringify([issuer, clientId, secret])
  const known = discovered.get(name)
  if (known) return known
  const url = new URL(issuer)
  const execute = url.protocol === 'http:' && LOOPBACK.includes(url.hostname) ? [oidc.allowInsecureRequests] : []
  const options = { timeout: TIMEOUT_S, execute, [oidc.customFetch]: boundedFetch }
  const found = await oidc.discovery(url, clientId, undefined, oidc.ClientSecretBasic(secret), options)
  discovered.set(name, found)
  return found
}

/**
 * What openid-client asks with: an answer of more than `ANSWER_MAX.oauth` bytes is read no further, and fails like one that
 * breaks off.
 */
const boundedFetch: oidc.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit)
  const bytes = await readBytes(answer, ANSWER_MAX.oauth)
  const { status, headers } = answer
  return new Response(answer.body === null ? null : bytes, { status, headers })
}

/** `state` goes out exactly as given, also when it is empty (OPEN-02, OPEN-03). */
export interface AuthorizeQuery {
  readonly state: string
  readonly kount: string
  readonly challenge: string
  readonly nonce: string
}

export function authorizeUrl(found: oidc.Configuration, settings: Settings, query: AuthorizeQuery): URL {
  return oidc.buildAuthorizationUrl(found, {
    redirect_uri: callbackUrl(settings),
    scope: settings.scope,
    kount_session_id: query.kount,
    code_challenge: query.challenge,
    code_challenge_method: 'S256',
    state: query.state,
    nonce: query.nonce,
  })
}

/** How a call to an OAuth endpoint failed. `refused` carries the code of RFC 6749; `slow` and `down` may pass by themselves. */
export type OidcFailure = { kind: 'refused'; error: string } | { kind: 'slow' } | { kind: 'down' }

export function failureOf(error: unknown): OidcFailure {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return { kind: 'refused', error: error.error }
  const timedOut = (one: unknown): boolean =>
    one instanceof Error &&
    (one.name === 'TimeoutError' || (one as { code?: unknown }).code === 'OAUTH_TIMEOUT' || timedOut(one.cause))
  return { kind: timedOut(error) ? 'slow' : 'down' }
}
