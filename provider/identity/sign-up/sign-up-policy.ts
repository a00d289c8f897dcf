import type { Env } from '../../env.ts'
import { getEmailTransportKind } from '../../notifications/email/email-transport.ts'
import { isLocalDeployment } from '../../platform/local-deployment.ts'

/**
 * Who may create an account (OPEN-164). `open`: everyone. `invite`: only people with whom a camera was shared. `off`:
 * only the operator.
 */
export type SignUpPolicy = 'open' | 'invite' | 'off'
export const SIGN_UP_POLICIES: readonly SignUpPolicy[] = ['open', 'invite', 'off']

/**
 * Returns the policy that `SIGN_UP` sets; without it, `open` on this machine and `off` elsewhere. Always `off` if the
 * provider cannot send the confirmation email.
 */
export function getSignUpPolicy(env: Env): SignUpPolicy {
  if (getEmailTransportKind(env) === 'none') return 'off'
  const policy = SIGN_UP_POLICIES.find((name) => name === env.SIGN_UP)
  return policy ?? (isLocalDeployment(env) ? 'open' : 'off')
}
