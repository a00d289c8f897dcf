import * as oidc from 'openid-client'
import type { SignOutDetails } from '../../../contract/auth/sign-out-details.ts'
import type { Settings } from '../settings.ts'
import { getIssuerConfiguration } from './oidc-client.ts'
import { renewTokens } from './renew-tokens.ts'
import { revokeTokens, type Tokens } from './tokens.ts'
import { callUserLogout } from '../proxy/user-calls.ts'

/** Tokens to revoke. `signOn`: true if their single sign-on session must end too. */
export interface SignOutRequest {
  readonly tokens: Tokens
  readonly signOn: boolean
  readonly note?: SignOutDetails | undefined
}

/**
 * Revokes the tokens at the provider and, with `signOn`, ends the single sign-on session to which they belong. Returns
 * the URL at which an external provider ends its own session, or null. `note` goes to the account's activity log.
 * Throws if the provider does not confirm. `now` in ms UTC.
 */
export async function signOutAtProvider(
  settings: Settings,
  { tokens: currentTokens, signOn, note }: SignOutRequest,
  now: number,
): Promise<string | null> {
  const configuration = await getIssuerConfiguration(settings, now)
  // The sign-out call is the only way to notify a host that is not the issuer.
  const notifiesHost = settings.servesUserCalls && (signOn || !settings.embedded)
  const tokens = signOn || notifiesHost ? await refreshIfExpired(settings, currentTokens, now) : currentTokens
  if (notifiesHost) await callUserLogout(settings, tokens.access, note)
  await revokeTokens(configuration, tokens)
  return signOn && !settings.embedded ? buildEndSessionUrl(configuration, settings, tokens) : null
}

/**
 * Refreshes an expired access token, because the provider ends its single sign-on session only for a valid token. If
 * the tokens cannot be refreshed, returns the old tokens, which still identify the session.
 */
async function refreshIfExpired(settings: Settings, tokens: Tokens, now: number): Promise<Tokens> {
  if (tokens.expiresAt > now || tokens.refresh === null) return tokens
  return (await renewTokens(settings, tokens, () => now)) ?? tokens
}

function buildEndSessionUrl(configuration: oidc.Configuration, settings: Settings, tokens: Tokens): string | null {
  if (!configuration.serverMetadata().end_session_endpoint) return null
  return oidc.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: `${settings.PORTAL_ORIGIN}/`,
    ...(tokens.idToken && { id_token_hint: tokens.idToken }),
  }).href
}
