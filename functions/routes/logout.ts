import * as oidc from 'openid-client'
import type { InferInput } from 'valibot'
import { userLogout, type logoutAnswer } from '../../contract/auth.ts'
import { sessionStub } from '../lib/access.ts'
import type { EdgeContext } from '../lib/context.ts'
import { clearSessionCookies, sessionIdOf } from '../lib/cookies.ts'
import type { Settings } from '../lib/env.ts'
import { providerHeaders } from '../lib/headers.ts'
import { provider } from '../lib/oidc.ts'
import type { Tokens } from '../lib/sign-in.ts'
import { askProvider } from '../lib/upstream.ts'

const PROVIDER_TIMEOUT_MS = 4000

/**
 * Ends the session here, its tokens and the provider's own single-sign-on session. Always succeeds here: whatever the
 * provider says, this browser is signed out. A foreign provider ends its session at the `url` of the answer.
 */
export async function logout(c: EdgeContext): Promise<Response> {
  const id = await sessionIdOf(c)
  const tokens = id === null ? null : await endSession(c, id)
  clearSessionCookies(c)
  const url = tokens && (await endAtProvider(c, tokens))
  return c.json({ code: 200, ...(url && { url }) } satisfies InferInput<typeof logoutAnswer>)
}

/** The provider ends its own session only for a good access token, so an old one is renewed first if that works. */
async function endSession(c: EdgeContext, id: string): Promise<Tokens | null> {
  const stub = sessionStub(c, id)
  const view = await stub.read()
  if (view && view.expiresAt <= Date.now()) await stub.refresh(view.handle)
  return stub.end()
}

async function endAtProvider(c: EdgeContext, tokens: Tokens): Promise<string | undefined> {
  const { settings } = c.var
  try {
    if (settings.embedded) await callUserLogout(settings, tokens.access, c.req.header('user-agent') ?? '')
    const found = await provider(settings)
    await oidc.tokenRevocation(found, tokens.refresh ?? tokens.access)
    return settings.embedded ? undefined : endSessionUrl(found, settings, tokens)
  } catch (error) {
    console.error(`The provider did not confirm a sign-out: ${error instanceof Error ? error.message : 'unknown'}`)
    return undefined
  }
}

async function callUserLogout(settings: Settings, token: string, userAgent: string): Promise<void> {
  const { group, method, path } = userLogout
  const requestId = crypto.randomUUID()
  const headers = await providerHeaders(settings, { group, content: '', token, userAgent, requestId })
  const { status } = await askProvider(settings.hosts[group] + path, { method, headers }, PROVIDER_TIMEOUT_MS)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
}

function endSessionUrl(found: oidc.Configuration, settings: Settings, tokens: Tokens): string | undefined {
  if (!found.serverMetadata().end_session_endpoint) return undefined
  return oidc.buildEndSessionUrl(found, {
    post_logout_redirect_uri: `${settings.PORTAL_ORIGIN}/`,
    ...(tokens.idToken && { id_token_hint: tokens.idToken }),
  }).href
}
