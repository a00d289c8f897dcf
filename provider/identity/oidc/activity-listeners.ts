import type Provider from 'oidc-provider'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'
import type { Env } from '../../env.ts'

/**
 * Notes what only oidc-provider knows: that a sign-in has led to the portal, whatever it was made of, and that a refresh
 * token or code came a second time, which has ended its sign-in.
 */
export function addActivityListeners(provider: Provider, env: Env): void {
  provider.on('authorization.success', (ctx) => {
    const userId = ctx.oidc.account?.accountId
    if (userId !== undefined) recordAccountActivity(env, userId, 'sign-in', ctx, Date.now())
  })
  provider.on('grant.revoked', (ctx) => {
    const { RefreshToken, AuthorizationCode } = ctx.oidc.entities
    const userId = (RefreshToken ?? AuthorizationCode)?.accountId
    // The edge brings tokens and codes, not the browser.
    if (ctx.oidc.route === 'token' && userId !== undefined)
      recordAccountActivity(env, userId, 'refresh-reuse', null, Date.now())
  })
}
