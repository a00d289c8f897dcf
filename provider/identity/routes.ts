import type { Hono } from 'hono'
import { userLogout, userMe } from '../../contract/auth.ts'
import type { AppEnv } from '../env.ts'
import { serve } from '../http/serve.ts'
import { assetRoutes } from './assets.ts'
import { answerOidc } from './oidc.ts'
import { signOut } from './sign-out.ts'

/** Mounts OpenID Connect, the sign-in page and the calls about the signed-in user. */
export function identityRoutes(app: Hono<AppEnv>): void {
  app.all('/oauth/*', (c) => answerOidc(c.req.raw, c.env))
  app.get('/.well-known/openid-configuration', (c) => answerOidc(c.req.raw, c.env))
  assetRoutes(app)

  serve(app, userMe, ({ account }) => ({ code: 200 as const, user_account: account.email, user_id: account.userId }))
  serve(app, userLogout, async ({ env, account }) => {
    await signOut(env.DB, account.grantId, account.sessionUid)
    return { code: 200 as const }
  })
}
