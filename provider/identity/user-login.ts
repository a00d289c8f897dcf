import Provider from 'oidc-provider'
import * as v from 'valibot'
import { userLogin as call } from '../../contract/auth.ts'
import type { Env } from '../env.ts'
import { authenticate } from './authenticate.ts'
import { isForeign, readText, type Context } from './form.ts'

const SESSION_S = 30 * 86_400
const SOURCE = /^[\w-]{1,32}$/
const credentials = v.pipe(v.string(), v.parseJson(), call.request)

function answer(ctx: Context, status: number, body: object): void {
  ctx.status = status
  ctx.set('Cache-Control', 'no-store')
  ctx.body = body
}

/** A new single-sign-on session, whatever one the browser had before, in the cookie that authorizations read. */
async function beginSession(provider: Provider, ctx: Context, accountId: string, now: number): Promise<void> {
  const session = new provider.Session()
  session.loginAccount({ accountId })
  await session.save(SESSION_S)
  const expires = new Date(now + SESSION_S * 1000)
  ctx.cookies.set('sso', session.jti, { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true, expires })
}

/** `POST /api/v2/user/login?source=…` (CALL-01, OPEN-12), limited like the sign-in page. JSON only: no form reaches it. */
export function userLogin(provider: Provider, env: Env) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== call.path) {
      await next()
      return
    }
    const site = ctx.get('sec-fetch-site')
    if (isForeign(ctx, env.PROVIDER_ORIGIN) || (site !== '' && site !== 'same-origin')) {
      answer(ctx, 403, { code: 403, msg: 'This call answers only to pages of this provider.' })
      return
    }
    const given = v.safeParse(credentials, await readText(ctx.req))
    const source = ctx.query['source']
    const isJson = ctx.get('content-type').split(';')[0]?.trim() === 'application/json'
    if (ctx.method !== 'POST' || !isJson || !given.success || typeof source !== 'string' || !SOURCE.test(source)) {
      answer(ctx, 400, { code: 400, msg: 'The request is malformed.' })
      return
    }
    const now = Date.now()
    const outcome = await authenticate(env, ctx.ip, given.output, now)
    if (outcome.state === 'refused') {
      if (outcome.retryAfter !== undefined) ctx.set('Retry-After', String(outcome.retryAfter))
      const code = outcome.status === 429 ? 429 : 401
      answer(ctx, code, { code, msg: outcome.error })
      return
    }
    await beginSession(provider, ctx, outcome.userId, now)
    answer(ctx, 200, { code: 200, status: 'signed_in' })
  }
}
