import * as oidc from 'openid-client'
import { explainFailure } from '../../../contract/auth/issuer-failure.ts'
import type { Settings } from '../settings.ts'
import { discoverIssuer } from './issuer.ts'

export const callbackUrl = (settings: Settings): string => `${settings.PORTAL_ORIGIN}/api/auth/callback`

/** A discovery document is read again once it is this old, and this long after a reading that failed. */
const DISCOVERY_MS = 3_600_000
const DISCOVERY_RETRY_MS = 60_000

interface Discovered {
  readonly found: oidc.Configuration
  /** When it is read again, ms UTC. */
  due: number
}

const discovered = new Map<string, Discovered>()

/**
 * The provider as its discovery document describes it, kept per isolate for an hour. What is known goes on being used while a
 * newer one is read by one request, and when that fails; a first reading that fails is not kept, the next request tries
 * again. Failures are logged with their reason. `now` in ms UTC.
 */
export async function provider(settings: Settings, now: number): Promise<oidc.Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings
  const name = JSON.stringify([issuer, clientId, secret])
  const cached = discovered.get(name)
  if (cached && now < cached.due) return cached.found
  if (cached) cached.due = now + DISCOVERY_RETRY_MS
  try {
    const found = await discoverIssuer(settings)
    discovered.set(name, { found, due: now + DISCOVERY_MS })
    return found
  } catch (error) {
    const reason = explainFailure(error)
    console.error(
      cached
        ? `The earlier discovery document of ${issuer} is used: ${reason}`
        : `Nobody can sign in at ${issuer}: ${reason}`,
    )
    if (!cached) throw error
    return cached.found
  }
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
    ...settings.authorizeExtras,
  })
}

/** What token requests say besides: the resource that the sign-in has asked for (RFC 8707, section 2.2). */
export const tokenExtras = ({ resource }: Settings): Record<string, string> => (resource === null ? {} : { resource })

/** How a call to an OAuth endpoint failed. `refused` carries the code of RFC 6749; `slow` and `down` may pass by themselves. */
export type OidcFailure = { kind: 'refused'; error: string } | { kind: 'slow' } | { kind: 'down' }

export function toOidcFailure(error: unknown): OidcFailure {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return { kind: 'refused', error: error.error }
  const timedOut = (cause: unknown): boolean =>
    cause instanceof Error &&
    (cause.name === 'TimeoutError' || (cause as { code?: unknown }).code === 'OAUTH_TIMEOUT' || timedOut(cause.cause))
  return { kind: timedOut(error) ? 'slow' : 'down' }
}
