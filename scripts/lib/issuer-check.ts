import * as oidc from 'openid-client'
import { explainIssuerFailure } from '../../contract/auth/issuer-failure.ts'
import { isLoopback } from './secrets.ts'

/** Maximum time in seconds by which the issuer check delays a start. */
const TIMEOUT_S = 4

/**
 * Returns the reason why sign-in with the configured issuer fails, or null. Does not query the portal's own provider.
 */
export async function findIssuerProblem(env: Partial<Record<string, string>>): Promise<string | null> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '', PROVIDER_ORIGIN: provider } = env
  if (issuer === '') return null
  if (!URL.canParse(issuer)) return `No one can log in: OIDC_ISSUER=${issuer} isn't a URL.`
  const url = new URL(issuer)
  if (url.origin === provider) return null
  const execute = isLoopback(url.origin) ? [oidc.allowInsecureRequests] : []
  try {
    await oidc.discovery(url, clientId, undefined, undefined, { timeout: TIMEOUT_S, execute })
    return null
  } catch (error) {
    return `No one can log in through ${issuer}: ${explainIssuerFailure(error)}`
  }
}
