import { explainIssuerFailure } from '../../contract/auth/issuer-failure.ts'
import { readSettings, type Bindings, type Settings } from '../../functions/lib/settings.ts'
import { completeSignIn, type SignIn } from '../../functions/lib/auth/complete-sign-in.ts'
import { makeEnvironment, makeSecrets } from '../../scripts/lib/secrets.ts'
import { ISSUER_CLIENT_ID } from './scripted-issuer.ts'

const secrets = makeSecrets()

/** Creates the environment of a portal that uses a scripted issuer for sign-in. */
export function createIssuerEnvironment(issuer: string, more: Record<string, string> = {}) {
  const origins = { portalOrigin: 'http://localhost:8787', providerOrigin: 'http://127.0.0.1:8788', buildId: 'b' }
  const overrides = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: ISSUER_CLIENT_ID, ...more }
  return makeEnvironment(secrets, { ...origins, overrides })
}

export function readIssuerSettings(issuer: string, more?: Record<string, string>): Settings {
  const result = readSettings(createIssuerEnvironment(issuer, more) as unknown as Bindings)
  if (!result.ok) throw new Error(result.problem)
  return result.settings
}

/**
 * Completes a sign-in at the scripted issuer without rendering pages. `extra`: parameters that the issuer adds to the
 * callback query.
 */
export function completeTestSignIn(settings: Settings, extra = ''): Promise<SignIn> {
  const pending = { handle: 'h', verifier: 'v'.repeat(43), nonce: 'n-1', state: '/live', kount: 'k', at: 0 }
  return completeSignIn(settings, `?code=n-1&state=%2Flive${extra}`, pending, Date.now, (it) => Promise.resolve(it))
}

export const describeRejection = (task: Promise<unknown>): Promise<string> =>
  task.then(() => 'no failure', explainIssuerFailure)
