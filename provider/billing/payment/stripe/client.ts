import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { AuthorizationExpired, GatewayDown, RefundFailed } from '../gateway-interface.ts'

export interface StripeEnv extends Pick<Env, 'DB' | 'PORTAL_ORIGIN' | 'STRIPE_API_ORIGIN' | 'STRIPE_WEBHOOK_SECRET'> {
  readonly STRIPE_SECRET_KEY: string
}

/** Request timeout. The ledger tries twice, and again later. */
const TIMEOUT_MS = 8000
/** Immediate retries with the same key, for dropped connections and concurrent requests (409). */
const RETRIES = 1

/** Loads Stripe's package on demand: it is large, and only payments need it. */
export async function openStripe({ STRIPE_SECRET_KEY, STRIPE_API_ORIGIN }: StripeEnv): Promise<Stripe> {
  const { Stripe: Client } = await import('stripe')
  return new Client(STRIPE_SECRET_KEY, {
    httpClient: Client.createFetchHttpClient(),
    ...{ timeout: TIMEOUT_MS, maxNetworkRetries: RETRIES, telemetry: false },
    ...(STRIPE_API_ORIGIN ? toEndpoint(new URL(STRIPE_API_ORIGIN)) : {}),
  })
}

const toEndpoint = ({ hostname, port, protocol }: URL) => ({
  host: hostname,
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  protocol: protocol === 'https:' ? ('https' as const) : ('http' as const),
})

export interface StripeProblem {
  readonly type: string
  readonly code: string
  readonly declineCode: string
  readonly param: string
}

/**
 * Returns the details of an error from Stripe; null for other errors. Checks `type`, because the package's error
 * classes are not loaded here and `name` is not reliable.
 */
export function toStripeProblem(error: unknown): StripeProblem | null {
  if (!(error instanceof Error) || !('type' in error) || typeof error.type !== 'string') return null
  const fields = error as { code?: unknown; decline_code?: unknown; param?: unknown }
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    type: error.type,
    code: text(fields.code),
    declineCode: text(fields.decline_code),
    param: text(fields.param),
  }
}

/** Returns true if Stripe does not know the named object. */
export const isMissing = (error: unknown): boolean => toStripeProblem(error)?.code === 'resource_missing'

/** Errors that the operator must fix: they never resolve automatically. */
const OWN_FAULTS = ['StripeAuthenticationError', 'StripePermissionError', 'StripeInvalidRequestError']

/** Calls Stripe. Failures become `GatewayDown`; `OWN_FAULTS` are logged as well, without the request data. */
export async function callStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ([GatewayDown, AuthorizationExpired, RefundFailed].some((errorClass) => error instanceof errorClass)) throw error
    const problem = toStripeProblem(error)
    if (problem === null) {
      console.error(JSON.stringify({ at: 'stripe', error: error instanceof Error ? error.message : 'unknown' }))
      throw new GatewayDown('What was asked of Stripe could not be asked.')
    }
    const { type, code, param } = problem
    if (OWN_FAULTS.includes(type)) console.error(JSON.stringify({ at: 'stripe', type, code, param }))
    throw new GatewayDown(`Stripe has not answered what was asked (${type}).`)
  }
}
