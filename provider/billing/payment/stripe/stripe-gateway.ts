import type Stripe from 'stripe'
import type { PaymentGateway } from '../gateway-interface.ts'
import { detachMethod, findSavedMethod, openStripePage } from './payment-methods.ts'
import { StripeCharges } from './charges.ts'
import { adoptCustomer, eraseCustomer } from './customers.ts'
import { callStripe, openStripe, type StripeEnv } from './client.ts'

/** Returns Stripe as payment gateway (docs/decisions/0057). Every call queries Stripe, which is the source of truth. */
export function createStripeGateway(env: StripeEnv): PaymentGateway {
  let stripePromise: Promise<Stripe> | null = null
  const runWithStripe = <T>(work: (stripe: Stripe) => Promise<T>) =>
    callStripe(async () => work(await (stripePromise ??= openStripe(env))))
  const runWithCharges = <T>(work: (stripeCharges: StripeCharges) => Promise<T>) =>
    runWithStripe((stripe) => work(new StripeCharges(env, stripe)))
  return {
    openCardPage: (account, purpose, now) =>
      runWithStripe((stripe) => openStripePage(env, stripe, account, purpose, now)),
    // Ignore the proof. Stripe sends every browser of its card page to the return URL, so a proof in the URL proves
    // nothing.
    claimMethod: (account, session, _proof, now) =>
      runWithStripe((stripe) => findSavedMethod(env, stripe, account, session, now)),
    authorize: (request, now) => runWithCharges((stripeCharges) => stripeCharges.authorize(request, now)),
    capture: async (account, key) => ({
      charge: await runWithCharges((stripeCharges) => stripeCharges.capture(account, key)),
    }),
    refund: async (account, key, refundKey, cents) => ({
      refund: await runWithCharges((stripeCharges) => stripeCharges.refund(account, key, refundKey, cents)),
    }),
    deleteMethod: (account, token) => runWithStripe((stripe) => detachMethod(env, stripe, account, token)),
    eraseAccount: (account) => runWithStripe((stripe) => eraseCustomer(env, stripe, account)),
    hasRefundFailed: (...args) => runWithCharges((stripeCharges) => stripeCharges.hasRefundFailed(...args)),
    adoptAccount: async (account) => void (await runWithStripe((stripe) => adoptCustomer(env, stripe, account))),
    charges: (account) => runWithCharges((stripeCharges) => stripeCharges.listCollected(account)),
  }
}
