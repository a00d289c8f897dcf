import * as oidc from 'openid-client'
import type { SignOutNote } from '../../../contract/auth/sign-out-note.ts'
import type { Settings } from '../settings.ts'
import { provider } from './oidc-client.ts'
import { renewTokens } from './renew-tokens.ts'
import { revoke, type Tokens } from './tokens.ts'
import { callUserLogout } from '../proxy/user-calls.ts'

/** Tokens to end. `signOn`: also end the single sign-on session behind them. */
export interface SigningOut {
  readonly tokens: Tokens
  readonly signOn: boolean
  readonly note?: SignOutNote | undefined
}

/**
 * Ends the tokens at the provider and, with `signOn`, the single sign-on session behind them. Returns the URL at which
 * a foreign provider ends its own session, or null. `note` goes to the account's activity log. Throws if the provider
 * does not confirm. `now` in ms UTC.
 */
export async function signOutAtProvider(
  settings: Settings,
  { tokens: currentTokens, signOn, note }: SigningOut,
  now: number,
): Promise<string | null> {
  const found = await provider(settings, now)
  // This call alone notifies a host that is not the issuer.
  const tellsHost = settings.servesUserCalls && (signOn || !settings.embedded)
  const tokens = signOn || tellsHost ? await usable(settings, currentTokens, now) : currentTokens
  if (tellsHost) await callUserLogout(settings, tokens.access, note)
  await revoke(found, tokens)
  return signOn && !settings.embedded ? endSessionUrl(found, settings, tokens) : null
}

/**
 * The provider ends its session only for a valid access token, so an expired one is refreshed first. If that needs a
 * new sign-in, the old tokens are revoked: they also name the session that ends.
 */
async function usable(settings: Settings, tokens: Tokens, now: number): Promise<Tokens> {
  if (tokens.expiresAt > now || tokens.refresh === null) return tokens
  return (await renewTokens(settings, tokens, () => now)) ?? tokens
}

function endSessionUrl(found: oidc.Configuration, settings: Settings, tokens: Tokens): string | null {
  if (!found.serverMetadata().end_session_endpoint) return null
  return oidc.buildEndSessionUrl(found, {
    post_logout_redirect_uri: `${settings.PORTAL_ORIGIN}/`,
    ...(tokens.idToken && { id_token_hint: tokens.idToken }),
  }).href
}
