import type { Env } from '../../env.ts'
import { getEmailTransportKind } from '../../notifications/email/email-transport.ts'
import { isLocalDeployment, isLocalNetworkDeployment } from '../../platform/local-deployment.ts'

/**
 * Who may create an account (OPEN-164). `open`: everyone. `invite`: only people with whom a camera was shared, or whom
 * the operator invited. `off`: only the operator.
 */
export type SignUpPolicy = 'open' | 'invite' | 'off'
export const SIGN_UP_POLICIES: readonly SignUpPolicy[] = ['open', 'invite', 'off']

/**
 * Returns the policy that `SIGN_UP` sets; without it, `open` on this machine, `invite` on the local network and `off`
 * elsewhere. Without a way to send the confirmation email, `open` is `invite`.
 */
export function getSignUpPolicy(env: Env): SignUpPolicy {
  const policy = SIGN_UP_POLICIES.find((name) => name === env.SIGN_UP) ?? getDefaultPolicy(env)
  return policy === 'open' && !canSendEmail(env) ? 'invite' : policy
}

function getDefaultPolicy(env: Env): SignUpPolicy {
  if (isLocalDeployment(env)) return 'open'
  return isLocalNetworkDeployment(env) ? 'invite' : 'off'
}

const canSendEmail = (env: Env): boolean => getEmailTransportKind(env) !== 'none'

/** Returns true if everyone may create an account. */
export const isSignUpOpen = (env: Env): boolean => getSignUpPolicy(env) === 'open'

/** Returns true if the form for a new account works without an invitation link. It needs the confirmation email. */
export const hasSignUpForm = (env: Env): boolean => getSignUpPolicy(env) !== 'off' && canSendEmail(env)

/**
 * How a person without an account learns of a shared camera. `email`: the provider sends the invitation link. `link`:
 * the owner hands the link over. `none`: the operator must create the account first.
 */
export type InvitationDelivery = 'email' | 'link' | 'none'

export function getInvitationDelivery(env: Env): InvitationDelivery {
  if (getSignUpPolicy(env) === 'off') return 'none'
  return canSendEmail(env) ? 'email' : 'link'
}
