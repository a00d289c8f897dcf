import * as oidc from 'openid-client'
import type { Settings } from '../settings.ts'
import { toOidcFailure, getIssuerConfiguration, getTokenParameters } from './oidc-client.ts'
import { DEFAULT_LIFETIME_S, toTokens, type Tokens } from './tokens.ts'
import { callSantaRefresh } from '../proxy/user-calls.ts'

/**
 * Errors that only a new sign-in resolves, so they end the session. After other errors, the session continues, because
 * they may be temporary. `mfa_required` is Auth0's code for `interaction_required`.
 */
const SIGN_IN_REQUIRED_ERRORS: readonly string[] = [
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
  'account_selection_required',
  'access_denied',
  'mfa_required',
]

/** Returns true if the token endpoint has permanently refused a refresh. */
export function isRefreshRefused(error: unknown): boolean {
  const failure = toOidcFailure(error)
  return failure.kind === 'refused' && SIGN_IN_REQUIRED_ERRORS.includes(failure.error)
}

/**
 * Returns the refreshed tokens; null if they cannot be refreshed. Uses the refresh grant or, with `renewsByCall`, the
 * provider's own refresh call, which needs a valid access token (OPEN-10). Throws errors of openid-client, or
 * `EdgeError`.
 */
export async function renewTokens(settings: Settings, tokens: Tokens, now: () => number): Promise<Tokens | null> {
  if (settings.renewsByCall) {
    const access = await callSantaRefresh(settings, tokens.access)
    return access === null ? null : { ...tokens, access, expiresAt: now() + DEFAULT_LIFETIME_S * 1000 }
  }
  if (tokens.refresh === null) return null
  const configuration = await getIssuerConfiguration(settings, now())
  try {
    const tokenResponse = await oidc.refreshTokenGrant(configuration, tokens.refresh, getTokenParameters(settings))
    const { refresh, idToken, ...fresh } = toTokens(tokenResponse, now())
    return { ...fresh, refresh: refresh ?? tokens.refresh, idToken: idToken ?? tokens.idToken }
  } catch (error) {
    if (isRefreshRefused(error)) return null
    throw error
  }
}
