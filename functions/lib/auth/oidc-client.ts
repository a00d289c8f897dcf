import * as oidc from 'openid-client'
import { explainIssuerFailure } from '../../../contract/auth/issuer-failure.ts'
import type { Settings } from '../settings.ts'
import { discoverIssuer } from './issuer.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

export const getCallbackUrl = (settings: Settings): string => `${settings.PORTAL_ORIGIN}/api/auth/callback`

/**
 * A cached discovery document is read again after `DISCOVERY_CACHE_MS`, and after `DISCOVERY_RETRY_MS` if that read
 * fails.
 */
const DISCOVERY_CACHE_MS = HOUR_MS
const DISCOVERY_RETRY_MS = 60_000

interface CachedDiscovery {
  readonly found: oidc.Configuration
  /** Time of the next read, ms UTC. */
  due: number
}

const discoveryCache = new Map<string, CachedDiscovery>()

/**
 * Returns the issuer configuration from its discovery document, cached per isolate for an hour. While one call reads
 * the document again, other calls use the cached document. If a read fails, returns the cached document, or throws if
 * there is none. `now` in ms UTC.
 */
export async function getIssuerConfiguration(settings: Settings, now: number): Promise<oidc.Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings
  const cacheKey = JSON.stringify([issuer, clientId, secret])
  const cached = discoveryCache.get(cacheKey)
  if (cached && now < cached.due) return cached.found
  if (cached) cached.due = now + DISCOVERY_RETRY_MS
  try {
    const configuration = await discoverIssuer(settings)
    discoveryCache.set(cacheKey, { found: configuration, due: now + DISCOVERY_CACHE_MS })
    return configuration
  } catch (error) {
    const reason = explainIssuerFailure(error)
    console.error(
      cached
        ? `Using the cached discovery document of ${issuer}: ${reason}`
        : `No one can log in through ${issuer}: ${reason}`,
    )
    if (!cached) throw error
    return cached.found
  }
}

/** `state` is sent exactly as given, even if it is empty (OPEN-02, OPEN-03). */
export interface AuthorizeQuery {
  readonly state: string
  readonly kount: string
  readonly challenge: string
  readonly nonce: string
  /** Replaces the prompt of the settings. */
  readonly prompt?: string | undefined
}

export function buildAuthorizeUrl(configuration: oidc.Configuration, settings: Settings, query: AuthorizeQuery): URL {
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: getCallbackUrl(settings),
    scope: settings.scope,
    kount_session_id: query.kount,
    code_challenge: query.challenge,
    code_challenge_method: 'S256',
    state: query.state,
    nonce: query.nonce,
    ...settings.authorizeExtras,
    ...(query.prompt !== undefined && { prompt: query.prompt }),
  })
}

/** Returns the extra parameters of token requests: the resource of the sign-in (RFC 8707, section 2.2). */
export const getTokenParameters = ({ resource }: Settings): Record<string, string> =>
  resource === null ? {} : { resource }

/**
 * Failure of a request to the issuer. `refused`: the issuer returned an OAuth error code. `slow`: timeout. `down`: any
 * other failure. `slow` and `down` may be temporary.
 */
export type OidcFailure = { kind: 'refused'; error: string } | { kind: 'slow' } | { kind: 'down' }

export function toOidcFailure(error: unknown): OidcFailure {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return { kind: 'refused', error: error.error }
  const timedOut = (cause: unknown): boolean =>
    cause instanceof Error &&
    (cause.name === 'TimeoutError' || (cause as { code?: unknown }).code === 'OAUTH_TIMEOUT' || timedOut(cause.cause))
  return { kind: timedOut(error) ? 'slow' : 'down' }
}
