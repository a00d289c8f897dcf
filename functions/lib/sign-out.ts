import * as oidc from 'openid-client'
import type { Settings } from './env.ts'
import { provider } from './oidc.ts'
import { toTokens, type Tokens } from './sign-in.ts'
import { callUserLogout } from './user-calls.ts'

/**
 * Ends the tokens at the provider and, with `signOn`, the single-sign-on session behind them; answers the address where a
 * foreign provider ends its own. Throws when the provider does not confirm. `now` in ms UTC.
 */
export async function signOutAtProvider(
  settings: Settings,
  given: Tokens,
  signOn: boolean,
  now: number,
): Promise<string | null> {
  const found = await provider(settings)
  const tokens = await usable(found, given, now)
  if (signOn && settings.servesUserCalls) await callUserLogout(settings, tokens.access)
  // Revocation is optional in OpenID Connect.
  if (found.serverMetadata().revocation_endpoint) await oidc.tokenRevocation(found, tokens.refresh ?? tokens.access)
  return signOn && !settings.embedded ? endSessionUrl(found, settings, tokens) : null
}

/** The provider ends its session only for a good access token, so one that is over is renewed first. */
async function usable(found: oidc.Configuration, tokens: Tokens, now: number): Promise<Tokens> {
  if (tokens.expiresAt > now || tokens.refresh === null) return tokens
  const fresh = toTokens(await oidc.refreshTokenGrant(found, tokens.refresh), now)
  return { ...fresh, refresh: fresh.refresh ?? tokens.refresh, idToken: fresh.idToken ?? tokens.idToken }
}

function endSessionUrl(found: oidc.Configuration, settings: Settings, tokens: Tokens): string | null {
  if (!found.serverMetadata().end_session_endpoint) return null
  return oidc.buildEndSessionUrl(found, {
    post_logout_redirect_uri: `${settings.PORTAL_ORIGIN}/`,
    ...(tokens.idToken && { id_token_hint: tokens.idToken }),
  }).href
}
