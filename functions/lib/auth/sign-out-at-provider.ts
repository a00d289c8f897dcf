import * as oidc from 'openid-client'
import type { SignOutNote } from '../../../contract/auth/sign-out-note.ts'
import type { Settings } from '../settings.ts'
import { provider } from './oidc-client.ts'
import { renewTokens } from './renew-tokens.ts'
import { revoke, type Tokens } from './tokens.ts'
import { callUserLogout } from '../proxy/user-calls.ts'

/** What ends: `signOn`, whether the single sign-on behind the tokens ends too. */
export interface SigningOut {
  readonly tokens: Tokens
  readonly signOn: boolean
  readonly note?: SignOutNote | undefined
}

/**
 * Ends the tokens at the provider and, with `signOn`, the single-sign-on session behind them; answers the address where a
 * foreign provider ends its own. `note` is what the account's log says of it. Throws when the provider does not confirm.
 * `now` in ms UTC.
 */
export async function signOutAtProvider(
  settings: Settings,
  { tokens: currentTokens, signOn, note }: SigningOut,
  now: number,
): Promise<string | null> {
  const found = await provider(settings, now)
  // A host that is not the issuer learns of the end by this call alone.
  const tellsHost = settings.servesUserCalls && (signOn || !settings.embedded)
  const tokens = signOn || tellsHost ? await usable(settings, currentTokens, now) : currentTokens
  if (tellsHost) await callUserLogout(settings, tokens.access, note)
  await revoke(found, tokens)
  return signOn && !settings.embedded ? endSessionUrl(found, settings, tokens) : null
}

/**
 * The provider ends its session only for a good access token, so an expired one is renewed first. If that takes a new
 * sign-in, the old tokens are revoked: they also name the session that ends.
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
