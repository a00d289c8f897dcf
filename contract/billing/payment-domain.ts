/** Hosts with the payment pages of many merchants: an external redirect there could reach any of them. */
const SHARED_HOSTS: readonly string[] = ['checkout.stripe.com', 'buy.stripe.com', 'billing.stripe.com']

/**
 * Returns the payment domain that external redirects may use: the configured one, or `ownDomain` if it is a shared
 * host.
 */
export const redirectablePayment = (paymentDomain: string, ownDomain: string): string =>
  SHARED_HOSTS.some((host) => host === paymentDomain.toLowerCase() || host.endsWith(`.${paymentDomain.toLowerCase()}`))
    ? ownDomain
    : paymentDomain
