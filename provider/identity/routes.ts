import type { Hono } from 'hono'
import { santaRefresh, userLogin, userLogout, userMe, userStatus } from '../../contract/auth.ts'
import type { AppEnv } from '../env.ts'
import { closeUserSockets } from '../feed/sockets.ts'
import { forbidden, unauthorized } from '../base/refusal.ts'
import { serve } from '../http/serve.ts'
import { renewAccessToken } from '../http/access-tokens.ts'
import { noteSignIn } from '../access/accounts.ts'
import { assetRoutes } from './assets.ts'
import { PASSWORD_PATH } from './change-password.ts'
import { answerOidc } from './oidc.ts'
import { signOut } from './sign-out.ts'

const OIDC_PATHS = [
  '/.well-known/openid-configuration',
  '/oauth/authorize/:uid?',
  '/oauth/sign-in/:uid',
  '/oauth/token',
  '/oauth/userinfo',
  '/oauth/jwks',
  '/oauth/revocation',
  PASSWORD_PATH,
  userLogin.path,
]

/** Mounts OpenID Connect, the pages of an account and the calls about the signed-in user. */
export function identityRoutes(app: Hono<AppEnv>): void {
  for (const path of OIDC_PATHS) app.all(path, (c) => answerOidc(c.req.raw, c.env))
  assetRoutes(app)

  serve(app, userMe, ({ account }) => ({ code: 200 as const, user_account: account.email, user_id: account.userId }))
  serve(app, userLogout, async ({ env, account, now }) => {
    await signOut(env.DB, account.grantId, account.sessionUid)
    await closeUserSockets(env, account.userId, now)
    return { code: 200 as const }
  })
  serve(app, userStatus, async ({ env, account, now }) => {
    await noteSignIn(env.DB, account.userId, now)
    return { code: 200 as const, status: 'active' as const }
  })
  serve(app, santaRefresh, async ({ c, env, account, now }) => {
    const site = c.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin') throw forbidden()
    const token = await renewAccessToken(env.DB, account.accessToken, now)
    if (token === null) throw unauthorized()
    c.header('Cache-Control', 'no-store')
    return { code: 200 as const, access_token: token }
  })
}
