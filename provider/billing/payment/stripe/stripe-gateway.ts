import type Stripe from 'stripe'
import type { Gateway } from '../gateway-interface.ts'
import { forget, methodOf, openPage } from './payment-methods.ts'
import { StripeCharges } from './charges.ts'
import { forgetCustomer } from './customers.ts'
import { asked, openStripe, type StripeEnv } from './client.ts'

/** Stripe behind the port (docs/decisions/0057). It is asked each time: what it says is what is there. */
export function stripeGateway(env: StripeEnv): Gateway {
  let opened: Promise<Stripe> | null = null
  const ask = <T>(work: (stripe: Stripe) => Promise<T>) => asked(async () => work(await (opened ??= openStripe(env))))
  const charges = <T>(work: (all: StripeCharges) => Promise<T>) => ask((stripe) => work(new StripeCharges(env, stripe)))
  return {
    openCardPage: (account, purpose, now) => ask((stripe) => openPage(env, stripe, account, purpose, now)),
    // Stripe tells every browser that opens its page where it returns to, so a proof in that address proves nothing.
    takeMethod: (account, session, _proof, now) => ask((stripe) => methodOf(env, stripe, account, session, now)),
    authorise: (one, now) => charges((all) => all.authorise(one, now)),
    capture: async (account, key) => ({ charge: await charges((all) => all.capture(account, key)) }),
    refund: async (account, key, refundKey, cents) => ({
      refund: await charges((all) => all.refund(account, key, refundKey, cents)),
    }),
    forget: (account, token) => ask((stripe) => forget(env, stripe, account, token)),
    forgetAccount: (account) => ask((stripe) => forgetCustomer(env, stripe, account)),
    hasFailed: (...given) => charges((all) => all.hasFailed(...given)),
    charges: (account) => charges((all) => all.collected(account)),
  }
}
