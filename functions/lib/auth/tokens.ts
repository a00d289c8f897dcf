import * as oidc from 'openid-client'

/** Tokens from the token endpoint. `expiresAt` in ms UTC. */
export interface Tokens {
  readonly access: string
  readonly refresh: string | null
  readonly idToken: string | null
  readonly expiresAt: number
}

/** Token lifetime assumed if the provider states none (OPEN-18). */
export const DEFAULT_LIFE_S = 3600

export function toTokens(answer: oidc.TokenEndpointResponse, now: number): Tokens {
  return {
    access: answer.access_token,
    refresh: answer.refresh_token ?? null,
    idToken: answer.id_token ?? null,
    expiresAt: now + (answer.expires_in ?? DEFAULT_LIFE_S) * 1000,
  }
}

/** Revokes the tokens if the provider can: revocation is optional in OpenID Connect. Throws errors of openid-client. */
export async function revoke(found: oidc.Configuration, { refresh, access }: Tokens): Promise<void> {
  if (found.serverMetadata().revocation_endpoint) await oidc.tokenRevocation(found, refresh ?? access)
}
