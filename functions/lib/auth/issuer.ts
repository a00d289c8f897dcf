import * as oidc from 'openid-client'
import { RESPONSE_BODY_BYTES_MAX, readBytes } from '../../../contract/wire/body-limits.ts'
import { toReachableUrl, type Settings } from '../settings.ts'

const TIMEOUT_S = 4
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
/** Algorithms accepted for signed user info if the issuer lists none, which OpenID Connect Discovery allows. */
const USER_INFO_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Reads the discovery document. Throws errors of openid-client; contract/auth/issuer-failure.ts explains them. */
export function discoverIssuer(settings: Settings): Promise<oidc.Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings
  const url = new URL(issuer)
  const execute = url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname) ? [oidc.allowInsecureRequests] : []
  const options = { timeout: TIMEOUT_S, execute, [oidc.customFetch]: createFetch(settings) }
  return oidc.discovery(url, clientId, undefined, oidc.ClientSecretBasic(secret), options)
}

/**
 * Returns the configuration for user info requests. If the issuer lists no algorithms for signed user info
 * (`application/jwt`), adds `USER_INFO_ALGORITHMS`, because openid-client otherwise rejects signed user info.
 */
export function createUserInfoConfiguration(configuration: oidc.Configuration): oidc.Configuration {
  const server: oidc.ServerMetadata = configuration.serverMetadata()
  if (server.userinfo_signing_alg_values_supported) return configuration
  const serverWithAlgorithms = { ...server, userinfo_signing_alg_values_supported: USER_INFO_ALGORITHMS }
  const copy = new oidc.Configuration(serverWithAlgorithms, configuration.clientMetadata().client_id)
  copy.timeout = configuration.timeout
  const { [oidc.customFetch]: customFetch } = configuration
  if (customFetch) copy[oidc.customFetch] = customFetch
  if (server.userinfo_endpoint?.startsWith('http:')) oidc.allowInsecureRequests(copy)
  return copy
}

/**
 * Returns true if two issuer URLs are equal after URL normalization. A trailing slash makes a difference only if the
 * URL has a path.
 */
export function isSameIssuer(issuer: string, other: string): boolean {
  return (
    issuer === other || (URL.canParse(issuer) && URL.canParse(other) && new URL(issuer).href === new URL(other).href)
  )
}

/**
 * Returns a fetch function that rejects responses above `RESPONSE_BODY_BYTES_MAX.oauth` bytes. Removes
 * `www-authenticate` from POST responses, because openid-client would otherwise throw that header instead of the error
 * code in the body. Reaches the embedded provider at its internal origin.
 */
const createFetch =
  (settings: Settings): oidc.CustomFetch =>
  async (url, options) => {
    const response = await fetch(toReachableUrl(settings, url), options as RequestInit)
    const bytes = await readBytes(response, RESPONSE_BODY_BYTES_MAX.oauth)
    const { status } = response
    const headers = new Headers(response.headers)
    if (options.method === 'POST') headers.delete('www-authenticate')
    return new Response(response.body === null ? null : bytes, { status, headers })
  }
