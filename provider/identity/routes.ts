import type { Hono } from 'hono'
import { userLogout, userMe } from '../../contract/auth.ts'
import type { AppEnv } from '../env.ts'
import { closeUserSockets } from '../home/sockets.ts'
import { serve } from '../http/serve.ts'
import { assetRoutes } from './assets.ts'
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
]

/** Mounts OpenID Connect, the sign-in page and the calls about the signed-in user. */
export function identityRoutes(app: Hono<AppEnv>): void {
  for (const path of OIDC_PATHS) app.all(path, (c) => answerOidc(c.req.raw, c.env))
  assetRoutes(app)

  serve(app, userMe, ({ account }) => ({ code: 200 as const, user_account: account.email, user_id: account.userId }))
  serve(app, userLogout, async ({ env, account }) => {
    await signOut(env.DB, account.grantId, account.sessionUid)
    await closeUserSockets(env, account.userId)
    return { code: 200 as const }
  })
}
