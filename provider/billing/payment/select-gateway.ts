import type { Env } from '../../env.ts'
import { CARD_TICKET_MS } from '../../../contract/billing/payment-calls.ts'
import { sealTicket } from '../../platform/tickets/tickets.ts'
import type { EmbeddedGateway } from './embedded/embedded-gateway.ts'
import { GatewayDown, type Gateway } from './gateway-interface.ts'
import type { StripeEnv } from './stripe/client.ts'
import { stripeGateway } from './stripe/stripe-gateway.ts'

type EmbeddedEnv = Pick<Env, 'BILLING_GATEWAY' | 'DEMO' | 'GATEWAYS' | 'PAYMENT_ORIGIN' | 'TICKET_KEY'>
type GatewayEnv = EmbeddedEnv & Pick<Env, 'STRIPE_SECRET_KEY'> & Omit<StripeEnv, 'STRIPE_SECRET_KEY'>

/**
 * Returns the gateway of this deployment; null if nothing is sold. The embedded one takes no real money, so it exists
 * only with demo accounts: in local deployments and previews. Stripe needs its key.
 */
export function selectGateway(env: GatewayEnv): Gateway | null {
  const stripe = toStripeEnv(env)
  if (stripe !== null) return stripeGateway(stripe)
  return hasCardPage(env) ? embedded(env) : null
}

/** Returns the environment for Stripe; null if this deployment has another gateway or none. */
export function toStripeEnv<E extends Pick<GatewayEnv, 'BILLING_GATEWAY' | 'STRIPE_SECRET_KEY'>>(env: E) {
  const { BILLING_GATEWAY, STRIPE_SECRET_KEY: key } = env
  return BILLING_GATEWAY === 'stripe' && key ? { ...env, STRIPE_SECRET_KEY: key } : null
}

/** Returns true if cards are typed on the provider's own page. */
export const hasCardPage = (env: Pick<Env, 'BILLING_GATEWAY' | 'DEMO'>): boolean =>
  env.BILLING_GATEWAY === 'embedded' && env.DEMO === '1'

/** RPC methods of the Durable Object, as its callers see them. */
type Calls = {
  readonly [
    N in
      'openCard' | 'claimMethod' | 'authorize' | 'capture' | 'refund' | 'deleteMethod' | 'erasePersonalData' | 'charges'
  ]: EmbeddedGateway[N] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}

function embedded(env: EmbeddedEnv): Gateway {
  const of = (account: string) => env.GATEWAYS.getByName(account) as unknown as Calls
  return {
    async openCardPage(account, purpose, now) {
      const session = `cs_${crypto.randomUUID().replaceAll('-', '')}`
      await callGateway(of(account).openCard(session, purpose, now))
      const content = { jti: session, user: account, iat: now, exp: now + CARD_TICKET_MS }
      const ticket = await sealTicket(env.TICKET_KEY, 'card', content)
      return { session, url: `${env.PAYMENT_ORIGIN}/card?${new URLSearchParams({ ticket }).toString()}` }
    },
    claimMethod: (account, session, proof, now) => callGateway(of(account).claimMethod(session, proof, now)),
    async authorize({ account, ...ask }, now) {
      const answer = await callGateway(of(account).authorize(ask, now))
      if (answer.state === 'lost') throw new GatewayDown('The answer was lost.')
      return answer
    },
    async capture(account, key, now) {
      const charge = await callGateway(of(account).capture(key, now))
      if (charge === null) throw new GatewayDown('Nothing was authorised by this key.')
      return { charge }
    },
    async refund(account, key, refundKey, cents, now) {
      const refund = await callGateway(of(account).refund(key, refundKey, cents, now))
      if (refund === null) throw new GatewayDown('Less was collected by this key.')
      return { refund }
    },
    deleteMethod: (account, token) => callGateway(of(account).deleteMethod(token)),
    eraseAccount: (account) => callGateway(of(account).erasePersonalData()),
    // The embedded bank never returns a refund.
    hasFailed: () => Promise.resolve(false),
    charges: (account) => callGateway(of(account).charges()),
  }
}

/** Throws `GatewayDown` if the object fails: its result is unknown then. */
async function callGateway<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new GatewayDown(error instanceof Error ? error.message : 'The gateway did not answer.')
  }
}
