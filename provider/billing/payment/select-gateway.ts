import type { Env } from '../../env.ts'
import { CARD_TICKET_LIFETIME_MS } from '../../../contract/billing/payment-calls.ts'
import { createTicket } from '../../platform/tickets/tickets.ts'
import type { EmbeddedGateway } from './embedded/embedded-gateway.ts'
import { GatewayDownError, type PaymentGateway } from './gateway-interface.ts'
import type { StripeEnv } from './stripe/client.ts'
import { createStripeGateway } from './stripe/stripe-gateway.ts'
import { getObject } from '../../platform/objects.ts'

type EmbeddedEnv = Pick<Env, 'BILLING_GATEWAY' | 'DEMO' | 'GATEWAYS' | 'PAYMENT_ORIGIN' | 'TICKET_KEY'>
type GatewayEnv = EmbeddedEnv & Pick<Env, 'STRIPE_SECRET_KEY'> & Omit<StripeEnv, 'STRIPE_SECRET_KEY'>

/**
 * Returns the configured payment gateway; null if there is none. Stripe requires a secret key. The embedded gateway
 * requires demo mode, because it takes no real money.
 */
export function selectGateway(env: GatewayEnv): PaymentGateway | null {
  const stripe = toStripeEnv(env)
  if (stripe !== null) return createStripeGateway(stripe)
  return hasCardPage(env) ? createEmbeddedGateway(env) : null
}

/** Returns the environment for Stripe; null if this deployment has another gateway or none. */
export function toStripeEnv<E extends Pick<GatewayEnv, 'BILLING_GATEWAY' | 'STRIPE_SECRET_KEY'>>(env: E) {
  const { BILLING_GATEWAY, STRIPE_SECRET_KEY: key } = env
  return BILLING_GATEWAY === 'stripe' && key ? { ...env, STRIPE_SECRET_KEY: key } : null
}

/** Returns true if buyers enter cards on the provider's own page. */
export const hasCardPage = (env: Pick<Env, 'BILLING_GATEWAY' | 'DEMO'>): boolean =>
  env.BILLING_GATEWAY === 'embedded' && env.DEMO === '1'

/** RPC methods of `EmbeddedGateway`, with the result types that callers get. */
type EmbeddedGatewayRpc = {
  readonly [
    N in
      | 'openCard'
      | 'claimMethod'
      | 'authorize'
      | 'capture'
      | 'refund'
      | 'deleteMethod'
      | 'erasePersonalData'
      | 'listCharges'
  ]: EmbeddedGateway[N] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}

function createEmbeddedGateway(env: EmbeddedEnv): PaymentGateway {
  const getStub = (account: string) => getObject(env, 'GATEWAYS', account) as unknown as EmbeddedGatewayRpc
  return {
    async openCardPage(account, purpose, now) {
      const session = `cs_${crypto.randomUUID().replaceAll('-', '')}`
      await callGateway(getStub(account).openCard(session, purpose, now))
      const content = { jti: session, user: account, iat: now, exp: now + CARD_TICKET_LIFETIME_MS }
      const ticket = await createTicket(env.TICKET_KEY, 'card', content)
      return { session, url: `${env.PAYMENT_ORIGIN}/card?${new URLSearchParams({ ticket }).toString()}` }
    },
    claimMethod: (account, session, proof, now) => callGateway(getStub(account).claimMethod(session, proof, now)),
    async authorize({ account, ...ask }, now) {
      const answer = await callGateway(getStub(account).authorize(ask, now))
      if (answer.state === 'lost') throw new GatewayDownError('The response was lost.')
      return answer
    },
    async capture(account, key, now) {
      const charge = await callGateway(getStub(account).capture(key, now))
      if (charge === null) throw new GatewayDownError('No charge was authorized with this key.')
      return { charge }
    },
    async refund(account, key, refundKey, cents, now) {
      const refund = await callGateway(getStub(account).refund(key, refundKey, cents, now))
      if (refund === null) throw new GatewayDownError('The refund exceeds the amount collected with this key.')
      return { refund }
    },
    deleteMethod: (account, token) => callGateway(getStub(account).deleteMethod(token)),
    eraseAccount: (account) => callGateway(getStub(account).erasePersonalData()),
    // The embedded gateway has no bank that could return a refund to the seller.
    hasRefundFailed: () => Promise.resolve(false),
    // The ids of the gateway's objects are the ids of the accounts.
    adoptAccount: () => Promise.resolve(),
    charges: (account) => callGateway(getStub(account).listCharges()),
  }
}

/** Throws `GatewayDownError` if the Durable Object fails, because the result is then unknown. */
async function callGateway<T>(gatewayRequest: Promise<T>): Promise<T> {
  try {
    return await gatewayRequest
  } catch (error) {
    throw new GatewayDownError(error instanceof Error ? error.message : "The gateway didn't respond.")
  }
}
