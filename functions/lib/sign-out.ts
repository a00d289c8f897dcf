import * as oidc from 'openid-client'
import { userLogout } from '../../contract/auth.ts'
import type { Settings } from './env.ts'
import { providerHeaders } from './headers.ts'
import { provider } from './oidc.ts'
import { toTokens, type Tokens } from './sign-in.ts'
import { askProvider } from './upstream.ts'

const TIMEOUT_MS = 4000

/**
 * Ends tokens and single-sign-on session at the provider; answers the address where a foreign provider ends its own.
 * Throws when the provider does not confirm. `now` in ms UTC.
 */
export async function signOutAtProvider(settings: Settings, given: Tokens, now: number): Promise<string | null> {
  const found = await provider(settings)
  const tokens = await usable(found, given, now)
  if (settings.embedded) await callUserLogout(settings, tokens.access)
  await oidc.tokenRevocation(found, tokens.refresh ?? tokens.access)
  return settings.embedded ? null : endSessionUrl(found, settings, tokens)
}

/** The provider ends its session only for a good access token, so one that is over is renewed first. */
async function usable(found: oidc.Configuration, tokens: Tokens, now: number): Promise<Tokens> {
  if (tokens.expiresAt > now || tokens.refresh === null) return tokens
  const fresh = toTokens(await oidc.refreshTokenGrant(found, tokens.refresh), now)
  return { ...fresh, refresh: fresh.refresh ?? tokens.refresh, idToken: fresh.idToken ?? tokens.idToken }
}

async function callUserLogout(settings: Settings, token: string): Promise<void> {
  const { group, method, path } = userLogout
  const requestId = crypto.randomUUID()
  const headers = await providerHeaders(settings, { group, content: '', token, userAgent: '', requestId })
  const { status } = await askProvider(settings.hosts[group] + path, { method, headers }, TIMEOUT_MS)
  // 401: the token is over at the provider already, and nothing that it could end is left.
  if (status !== 200 && status !== 401) throw new Error(`${path} answered ${status}.`)
}

function endSessionUrl(found: oidc.Configuration, settings: Settings, tokens: Tokens): string | null {
  if (!found.serverMetadata().end_session_endpoint) return null
  return oidc.buildEndSessionUrl(found, {
    post_logout_redirect_uri: `${settings.PORTAL_ORIGIN}/`,
    ...(tokens.idToken && { id_token_hint: tokens.idToken }),
  }).href
}
