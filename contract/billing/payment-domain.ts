/** Hosts on which every shop of a payment provider has its page: going there by an address from outside is going to anybody. */
const SHARED_HOSTS: readonly string[] = ['checkout.stripe.com', 'buy.stripe.com', 'billing.stripe.com']

/** The domain of payment that redirects from outside may go to: the configured one, or our own where that is shared. */
export const redirectablePayment = (paymentDomain: string, ownDomain: string): string =>
  SHARED_HOSTS.some((host) => host === paymentDomain.toLowerCase() || host.endsWith(`.${paymentDomain.toLowerCase()}`))
    ? ownDomain
    : paymentDomain
