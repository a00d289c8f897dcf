import type * as v from 'valibot'
import type { signUpStatusResponse } from '../../contract/auth/user-calls.ts'
import { toSafePath } from '../../src/domain/navigation/safe-redirect.ts'
import { peekSession } from '../lib/auth/session-access.ts'
import { getIssuerConfiguration } from '../lib/auth/oidc-client.ts'
import { createRandomText } from '../lib/byte-encoding.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { EdgeError } from '../lib/edge-error.ts'
import { renderErrorPage } from '../lib/error-page.ts'
import { limitSignIns } from '../lib/security/rate-limit.ts'
import { startAuthorization } from './authorize.ts'

/** Page that opens after the first sign-in if the link names no other page. */
const DEFAULT_PATH = '/live'
const STATUS_MAX_AGE_S = 300

/**
 * `GET /api/auth/sign-up?path=`: redirects a visitor to the form for a new account, and a signed-in user to `path`
 * (OPEN-164). An external issuer that does not announce the prompt `create` shows its sign-in page instead.
 */
export async function handleSignUp(c: EdgeContext): Promise<Response> {
  try {
    await limitSignIns(c)
    const path = toSafePath(c.req.query('path')) ?? DEFAULT_PATH
    if (await peekSession(c)) return c.redirect(path, 302)
    // The provider's page explains who may create an account.
    const isSupported = c.var.settings.embedded || (await announcesSignUp(c).catch(() => false))
    const prompt = isSupported ? 'create' : undefined
    const { url } = await startAuthorization(c, { state: path, kount: createRandomText(24), prompt })
    return c.redirect(url, 302)
  } catch (error) {
    if (error instanceof EdgeError) return renderErrorPage(c, error)
    throw error
  }
}

/** `GET /api/auth/sign-up-status`: whether public pages offer visitors an account. */
export async function handleSignUpStatus(c: EdgeContext): Promise<Response> {
  const isOpen = await announcesSignUp(c).catch(() => null)
  // If the issuer is down, the next page must check again.
  if (isOpen !== null) c.header('cache-control', `private, max-age=${STATUS_MAX_AGE_S}`)
  return c.json({ code: 200, sign_up: isOpen ? 'open' : 'closed' } satisfies v.InferInput<typeof signUpStatusResponse>)
}

/** Returns true if the issuer announces the prompt `create` (OpenID Connect Prompt Create 1.0). */
async function announcesSignUp(c: EdgeContext): Promise<boolean> {
  const prompts = (await getIssuerConfiguration(c.var.settings, Date.now())).serverMetadata()['prompt_values_supported']
  return Array.isArray(prompts) && prompts.includes('create')
}
