import type { Hono, MiddlewareHandler } from 'hono'
import { santaRefresh, userLogin, userLogout, userMe, userStatus } from '../../contract/auth/user-calls.ts'
import { ACCOUNT_DELETION_PATH } from '../../contract/account/account-deletion.ts'
import { SIGN_OUT_HEADER } from '../../contract/auth/sign-out-details.ts'
import { recordSignOut } from '../accounts/activity/record-activity.ts'
import type { AppEnv } from '../env.ts'
import { closeUserSockets } from '../homes/feed/close-user-sockets.ts'
import { forbidden, unauthorized } from '../platform/api-error.ts'
import { recordFailedAuth } from '../platform/rate-limits/failed-auth-limit.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { renewAccessToken } from '../platform/auth/access-token-rows.ts'
import { recordSignIn } from '../accounts/account-rows.ts'
import { isTimeZone, storeHomeTimeZone } from '../accounts/stored-settings/home-time-zone.ts'
import { assetRoutes } from './pages/asset-routes.ts'
import { CHANGE_PASSWORD_PATH } from './password/change-password.ts'
import { PASSWORD_RESET_PATH, SIGN_UP_PATH } from '../notifications/email-links.ts'
import { SECOND_FACTOR_PATH } from './two-factor/settings-pages.ts'
import { handleOidcRequest } from './oidc/oidc-server.ts'
import { PASSKEYS_PATH } from './passkeys/settings-path.ts'
import { signOut } from './sign-in/sign-out.ts'

const OIDC_PATHS = [
  '/.well-known/openid-configuration',
  '/oauth/authorize/:uid?',
  '/oauth/sign-in/:uid',
  '/oauth/token',
  '/oauth/userinfo',
  '/oauth/jwks',
  '/oauth/revocation',
  CHANGE_PASSWORD_PATH,
  PASSWORD_RESET_PATH,
  SIGN_UP_PATH,
  SECOND_FACTOR_PATH,
  PASSKEYS_PATH,
  ACCOUNT_DELETION_PATH,
  userLogin.path,
]

/** Limits wrong client secrets per client network. Above the limit, returns 429 as an OAuth error. */
const limitClientAuthFailures: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status !== 401) return
  const waitMs = await recordFailedAuth(c, 'client', Date.now())
  if (waitMs === 0) return
  const body = { error: 'invalid_client', error_description: 'Too many incorrect client secrets. Try again later.' }
  c.res = c.json(body, 429, { 'Retry-After': String(Math.ceil(waitMs / 1000)), 'Cache-Control': 'no-store' })
}

export function identityRoutes(app: Hono<AppEnv>): void {
  app.use('/oauth/token', limitClientAuthFailures)
  for (const path of OIDC_PATHS) app.all(path, (c) => handleOidcRequest(c.req.raw, c.env))
  assetRoutes(app)

  serveCall(app, userMe, ({ account }) => ({
    code: 200 as const,
    user_account: account.email,
    user_id: account.userId,
  }))
  serveCall(app, userLogout, async ({ c, env, account, now }) => {
    await signOut(env, account)
    recordSignOut(env, account.userId, c.req.header(SIGN_OUT_HEADER), now)
    await closeUserSockets(env, account.userId)
    return { code: 200 as const }
  })
  serveCall(app, userStatus, async ({ env, account, input, now }) => {
    await recordSignIn(env.DB, account.userId, now)
    if (input.time_zone !== undefined && isTimeZone(input.time_zone)) {
      await storeHomeTimeZone(env.DB, account.userId, { time_zone: input.time_zone, replace: false })
    }
    return { code: 200 as const, status: 'active' as const }
  })
  serveCall(app, santaRefresh, async ({ c, env, account, now }) => {
    const site = c.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin') throw forbidden()
    const token = await renewAccessToken(env, account, now)
    if (token === null) throw unauthorized()
    c.header('Cache-Control', 'no-store')
    return { code: 200 as const, access_token: token }
  })
}
