import { expect, test } from 'vitest'
import { getRedirectablePaymentDomain } from '../../../../contract/billing/payment-domain.ts'
import { REDIRECT_FALLBACK, toSafeRedirect } from '../../../../src/domain/navigation/safe-redirect.ts'
import { getCardPageRules, getRedirectRules } from '../../../../functions/lib/security/deployment-redirect-rules.ts'

const createSettings = (PAYMENT_DOMAIN: string) =>
  ({
    PORTAL_ORIGIN: 'https://cam.example.com',
    PROVIDER_ORIGIN: 'https://id.example.com',
    PAYMENT_ORIGIN: '',
    OWN_DOMAIN: 'cam.example.com',
    PAYMENT_DOMAIN,
  }) as Parameters<typeof getRedirectRules>[0]

test.each(['checkout.stripe.com', 'Checkout.Stripe.com', 'stripe.com'])(
  'a host shared by all merchants of a payment provider is reachable only from its own button: %s',
  (domain) => {
    const page = 'https://checkout.stripe.com/c/pay/cs_live_1'
    expect(toSafeRedirect(page, getRedirectRules(createSettings(domain)))).toBe(REDIRECT_FALLBACK)
    expect(toSafeRedirect(page, getCardPageRules(createSettings(domain)))).toBe(page)
    expect(getRedirectablePaymentDomain(domain, 'cam.example.com')).toBe('cam.example.com')
  },
)

test('the payment domain of a single merchant stays an allowed redirect target', () => {
  const page = 'https://pay.example.com/card'
  expect(toSafeRedirect(page, getRedirectRules(createSettings('pay.example.com')))).toBe(page)
})
