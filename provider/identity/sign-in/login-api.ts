import Provider from 'oidc-provider'
import * as v from 'valibot'
import { userLogin as call } from '../../../contract/auth/user-calls.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { recordFailedSignIn } from '../../accounts/activity/record-activity.ts'
import type { Env } from '../../env.ts'
import { authenticate } from './check-credentials.ts'
import { IDLE_TIMEOUT_S } from '../oidc/configuration.ts'
import { findSecondFactor } from '../two-factor/second-factor-rows.ts'
import { isCrossOriginForm, readRequestText, type KoaContext } from '../pages/read-form.ts'
import { readKnownBrowserCookie, rememberBrowser } from './known-browser.ts'
import { notifyNewSignIn } from './notify-new-sign-in.ts'

const SECOND_FACTOR_MESSAGE = `This account uses two-step verification. Log in on the ${BRAND_NAME} login page.`
const SOURCE_PATTERN = /^[\w-]{1,32}$/
const credentialsSchema = v.pipe(v.string(), v.parseJson(), call.request)

function respond(ctx: KoaContext, status: number, body: object): void {
  ctx.status = status
  ctx.set('Cache-Control', 'no-store')
  ctx.body = body
}

/**
 * Starts a new SSO session and sets its cookie for the authorization endpoint. The cookie replaces the cookie of an
 * earlier session in this browser.
 */
async function startSession(provider: Provider, ctx: KoaContext, accountId: string, now: number): Promise<void> {
  const session = new provider.Session()
  session.loginAccount({ accountId })
  await session.save(IDLE_TIMEOUT_S)
  const expires = new Date(now + IDLE_TIMEOUT_S * 1000)
  ctx.cookies.set(provider.cookieName('session'), session.jti, {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    overwrite: true,
    expires,
  })
}

/**
 * Creates the handler of `POST /api/v2/user/login?source=…` (CALL-01, OPEN-12). Rate-limited like the sign-in page.
 * Accepts only JSON, so that no HTML form can call it.
 */
export function createLoginHandler(provider: Provider, env: Env) {
  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== call.path) {
      await next()
      return
    }
    const site = ctx.get('sec-fetch-site')
    if (isCrossOriginForm(ctx, env.PROVIDER_ORIGIN) || (site !== '' && site !== 'same-origin')) {
      respond(ctx, 403, { code: 403, msg: 'Only this provider’s pages can make this call.' })
      return
    }
    const parsed = v.safeParse(credentialsSchema, await readRequestText(ctx.req))
    const source = ctx.query['source']
    const isJson = ctx.get('content-type').split(';')[0]?.trim() === 'application/json'
    if (
      ctx.method !== 'POST' ||
      !isJson ||
      !parsed.success ||
      typeof source !== 'string' ||
      !SOURCE_PATTERN.test(source)
    ) {
      respond(ctx, 400, { code: 400, msg: 'The request is malformed.' })
      return
    }
    const now = Date.now()
    const { email, password } = parsed.output
    const outcome = await authenticate(
      env,
      { ip: ctx.ip, known: readKnownBrowserCookie(ctx, env, email), email, password },
      now,
    )
    if (outcome.state === 'refused') {
      recordFailedSignIn(env, { email, way: 'password' }, outcome, ctx, now)
      if (outcome.retryAfter !== undefined) ctx.set('Retry-After', String(outcome.retryAfter))
      const code = outcome.status === 429 ? 429 : 401
      respond(ctx, code, { code, msg: outcome.error })
      return
    }
    if ((await findSecondFactor(env.DB, outcome.userId, now))?.enabledAt != null) {
      respond(ctx, 403, { code: 403, msg: SECOND_FACTOR_MESSAGE })
      return
    }
    await startSession(provider, ctx, outcome.userId, now)
    notifyNewSignIn(env, { userId: outcome.userId, email }, ctx, now)
    rememberBrowser(ctx, env, email, now)
    respond(ctx, 200, { code: 200, status: 'signed_in' })
  }
}
