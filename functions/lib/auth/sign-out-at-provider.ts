import * as oidc from 'openid-client'
import type { SignOutNote } from '../../../contract/auth/sign-out-note.ts'
import type { Settings } from '../settings.ts'
import { provider } from './oidc-client.ts'
import { renewTokens } from './renew-tokens.ts'
import { revoke, type Tokens } from './tokens.ts'
import { callUserLogout } from '../proxy/user-calls.ts'

/** Tokens to revoke. `signOn`: also ends the single sign-on session to which the tokens belong. */
export interface SigningOut {
  readonly tokens: Tokens
  readonly signOn: boolean
  readonly note?: SignOutNote | undefined
}

/**
 * Revokes the tokens at the provider and, with `signOn`, ends the single sign-on session to which they belong. Returns
 * the URL at which an external provider ends its own session, or null. `note` goes to the account's activity log.
 * Throws if the provider does not confirm. `now` in ms UTC.
 */
export async function signOutAtProvider(
  settings: Settings,
  { tokens: currentTokens, signOn, note }: SigningOut,
  now: number,
): Promise<string | null> {
  const found = await provider(settings, now)
  // A host that is not the issuer learns of the sign-out only by this call.
  const tellsHost = settings.servesUserCalls && (signOn || !settings.embedded)
  const tokens = signOn || tellsHost ? await usable(settings, currentTokens, now) : currentTokens
  if (tellsHost) await callUserLogout(settings, tokens.access, note)
  await revoke(found, tokens)
  return signOn && !settings.embedded ? endSessionUrl(found, settings, tokens) : null
}

/**
 * Returns tokens that the provider accepts: it ends its session only for a valid access token, so an expired one is
 * refreshed first. If the refresh needs a new sign-in, the old tokens are revoked, because they also name the session
 * to end.
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
