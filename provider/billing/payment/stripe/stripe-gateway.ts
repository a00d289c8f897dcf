import type Stripe from 'stripe'
import type { Gateway } from '../gateway-interface.ts'
import { detachMethod, findSavedMethod, openPage } from './payment-methods.ts'
import { StripeCharges } from './charges.ts'
import { eraseCustomer } from './customers.ts'
import { callStripe, openStripe, type StripeEnv } from './client.ts'

/** Stripe as payment gateway (docs/decisions/0057). Every call queries Stripe, which is the source of truth. */
export function stripeGateway(env: StripeEnv): Gateway {
  let opened: Promise<Stripe> | null = null
  const runWithStripe = <T>(work: (stripe: Stripe) => Promise<T>) =>
    callStripe(async () => work(await (opened ??= openStripe(env))))
  const charges = <T>(work: (all: StripeCharges) => Promise<T>) =>
    runWithStripe((stripe) => work(new StripeCharges(env, stripe)))
  return {
    openCardPage: (account, purpose, now) => runWithStripe((stripe) => openPage(env, stripe, account, purpose, now)),
    // The proof is ignored: Stripe shows the return URL to every browser that opens its page, so a proof in that URL
    // would prove nothing.
    claimMethod: (account, session, _proof, now) =>
      runWithStripe((stripe) => findSavedMethod(env, stripe, account, session, now)),
    authorize: (request, now) => charges((all) => all.authorize(request, now)),
    capture: async (account, key) => ({ charge: await charges((all) => all.capture(account, key)) }),
    refund: async (account, key, refundKey, cents) => ({
      refund: await charges((all) => all.refund(account, key, refundKey, cents)),
    }),
    deleteMethod: (account, token) => runWithStripe((stripe) => detachMethod(env, stripe, account, token)),
    eraseAccount: (account) => runWithStripe((stripe) => eraseCustomer(env, stripe, account)),
    hasFailed: (...args) => charges((all) => all.hasFailed(...args)),
    charges: (account) => charges((all) => all.collected(account)),
  }
}
