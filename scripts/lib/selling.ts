import { STRIPE_DOMAIN } from './secrets.ts'

type EnvironmentValues = Partial<Record<string, string>>

const MISSING_STRIPE_KEY_MESSAGE = 'BILLING_GATEWAY is stripe, but STRIPE_SECRET_KEY is missing.'

/** Returns true if the provider has a payment gateway for purchases (provider/billing/payment/select-gateway.ts). */
export const canSell = (env: EnvironmentValues): boolean =>
  env['BILLING_GATEWAY'] === 'stripe'
    ? Boolean(env['STRIPE_SECRET_KEY'])
    : env['BILLING_GATEWAY'] === 'embedded' && env['DEMO'] === '1'

/** Returns the reason why purchases are not possible, for an environment for which `canSell` returns false. */
export const explainNoSales = (env: EnvironmentValues): string =>
  env['BILLING_GATEWAY'] === 'stripe'
    ? `Sales are off: ${MISSING_STRIPE_KEY_MESSAGE}`
    : 'Sales are off: no payment gateway is set (BILLING_GATEWAY).'

/**
 * Returns one sentence for each reason why the payment gateway settings must not go to production. `file`: name of the
 * settings file that the sentences mention.
 */
export function findGatewayProblems(env: EnvironmentValues, file: string): string[] {
  if (env['BILLING_GATEWAY'] === 'embedded')
    return [
      `BILLING_GATEWAY in ${file} is set to embedded, which accepts only test cards. Set BILLING_GATEWAY=stripe or remove the setting.`,
    ]
  if (env['BILLING_GATEWAY'] !== 'stripe') return []
  const { PAYMENT_ORIGIN: paymentOrigin = '', PAYMENT_DOMAIN: domain } = env
  const isOurs = URL.canParse(paymentOrigin) && new URL(paymentOrigin).hostname === domain
  return [
    ...(env['STRIPE_SECRET_KEY']
      ? []
      : [`${MISSING_STRIPE_KEY_MESSAGE} Enter the secret key of your Stripe account in ${file}.`]),
    ...(env['STRIPE_API_ORIGIN'] ? [`STRIPE_API_ORIGIN in ${file} is only for tests. Remove it.`] : []),
    ...(isOurs ? [`PAYMENT_DOMAIN in ${file} isn't Stripe's domain. Set PAYMENT_DOMAIN=${STRIPE_DOMAIN}.`] : []),
  ]
}

/** Returns warnings about payment gateway settings that work but may not be intended. */
export function findGatewayWarnings(env: EnvironmentValues): string[] {
  if (env['BILLING_GATEWAY'] !== 'stripe') return []
  const isTest = /^[sr]k_test_/.test(env['STRIPE_SECRET_KEY'] ?? '')
  return [
    ...(isTest ? ['STRIPE_SECRET_KEY is a test-mode key, so only test cards work and no real money moves.'] : []),
    ...(env['STRIPE_WEBHOOK_SECRET']
      ? []
      : ['STRIPE_WEBHOOK_SECRET is missing, so Porchlight polls Stripe for slow payments instead of using webhooks.']),
  ]
}
