import * as oidc from 'openid-client'
import type { Settings } from '../settings.ts'
import { toOidcFailure, provider, tokenExtras } from './oidc-client.ts'
import { DEFAULT_LIFE_S, toTokens, type Tokens } from './tokens.ts'
import { callSantaRefresh } from '../proxy/user-calls.ts'

/**
 * Refusals that only a new sign-in resolves, so that they end the session. All others are about the portal's own client, or
 * may pass: with them a session continues. `mfa_required` is Auth0's word for `interaction_required`.
 */
const SIGN_IN_AGAIN: readonly string[] = [
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required',
  'access_denied',
  'mfa_required',
]

/** Returns whether the token endpoint has refused a refresh for good. */
export function isSessionOver(error: unknown): boolean {
  const failure = toOidcFailure(error)
  return failure.kind === 'refused' && SIGN_IN_AGAIN.includes(failure.error)
}

/**
 * The tokens that follow these, or null when nothing can renew them: by the standard grant or, where the provider is
 * configured to have none, by its own call, which takes an access token that is still good (OPEN-10). Throws what
 * openid-client throws, a `EdgeRefusal` when there is no answer.
 */
export async function renewTokens(settings: Settings, tokens: Tokens, now: () => number): Promise<Tokens | null> {
  if (settings.renewsByCall) {
    const access = await callSantaRefresh(settings, tokens.access)
    return access === null ? null : { ...tokens, access, expiresAt: now() + DEFAULT_LIFE_S * 1000 }
  }
  if (tokens.refresh === null) return null
  const found = await provider(settings, now())
  try {
    const answer = await oidc.refreshTokenGrant(found, tokens.refresh, tokenExtras(settings))
    const { refresh, idToken, ...fresh } = toTokens(answer, now())
    return { ...fresh, refresh: refresh ?? tokens.refresh, idToken: idToken ?? tokens.idToken }
  } catch (error) {
    if (isSessionOver(error)) return null
    throw error
  }
}
