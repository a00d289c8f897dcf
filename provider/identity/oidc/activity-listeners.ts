import type Provider from 'oidc-provider'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'
import type { Env } from '../../env.ts'

/**
 * Records in the activity log what only oidc-provider sees: sign-ins to the portal, and reuse of a refresh token or
 * code.
 */
export function addActivityListeners(provider: Provider, env: Env): void {
  provider.on('authorization.success', (ctx) => {
    const userId = ctx.oidc.account?.accountId
    if (userId !== undefined) recordAccountActivity(env, userId, 'sign-in', ctx, Date.now())
  })
  provider.on('grant.revoked', (ctx) => {
    const { RefreshToken, AuthorizationCode } = ctx.oidc.entities
    const userId = (RefreshToken ?? AuthorizationCode)?.accountId
    // The edge server makes token requests, so the request has no information about the user's client.
    if (ctx.oidc.route === 'token' && userId !== undefined)
      recordAccountActivity(env, userId, 'refresh-reuse', null, Date.now())
  })
}
