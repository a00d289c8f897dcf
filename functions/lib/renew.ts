import * as oidc from 'openid-client'
import type { Settings } from './env.ts'
import { provider, tokenExtras } from './oidc.ts'
import { DEFAULT_LIFE_S, toTokens, type Tokens } from './tokens.ts'
import { callSantaRefresh } from './user-calls.ts'

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
  const answer = await oidc.refreshTokenGrant(found, tokens.refresh, tokenExtras(settings))
  const { refresh, idToken, ...fresh } = toTokens(answer, now())
  return { ...fresh, refresh: refresh ?? tokens.refresh, idToken: idToken ?? tokens.idToken }
}
