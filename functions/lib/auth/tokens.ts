import * as oidc from 'openid-client'

/** Tokens from the token endpoint. `expiresAt` in ms UTC. */
export interface Tokens {
  readonly access: string
  readonly refresh: string | null
  readonly idToken: string | null
  readonly expiresAt: number
}

/** Token lifetime assumed if the provider states none (OPEN-18). */
export const DEFAULT_LIFETIME_S = 3600

export function toTokens(response: oidc.TokenEndpointResponse, now: number): Tokens {
  return {
    access: response.access_token,
    refresh: response.refresh_token ?? null,
    idToken: response.id_token ?? null,
    expiresAt: now + (response.expires_in ?? DEFAULT_LIFETIME_S) * 1000,
  }
}

/**
 * Revokes the refresh token or, without one, the access token. Does nothing if the provider does not support
 * revocation, which is optional in OpenID Connect. Throws errors of openid-client.
 */
export async function revokeTokens(configuration: oidc.Configuration, { refresh, access }: Tokens): Promise<void> {
  if (configuration.serverMetadata().revocation_endpoint) await oidc.tokenRevocation(configuration, refresh ?? access)
}
