import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { AuthorizationExpiredError, GatewayDownError, RefundFailedError } from '../gateway-interface.ts'

/** Allows only cards. The library's types do not have this parameter. */
export const CARDS_ONLY = { payment_method_types: ['card'] }

export interface StripeEnv extends Pick<Env, 'DB' | 'PORTAL_ORIGIN' | 'STRIPE_API_ORIGIN' | 'STRIPE_WEBHOOK_SECRET'> {
  readonly STRIPE_SECRET_KEY: string
}

/** Timeout of a Stripe request. The ledger makes two immediate attempts, then retries later. */
const TIMEOUT_MS = 8000
/**
 * Number of immediate retries with the same idempotency key, for example after a dropped connection or a conflict
 * (409).
 */
const MAX_RETRIES = 1

/** Creates a Stripe client. Loads Stripe's package on demand, because it is large and only payments need it. */
export async function openStripe({ STRIPE_SECRET_KEY, STRIPE_API_ORIGIN }: StripeEnv): Promise<Stripe> {
  const { Stripe: Client } = await import('stripe')
  return new Client(STRIPE_SECRET_KEY, {
    httpClient: Client.createFetchHttpClient(),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
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
 * Returns the details of a Stripe error; null for other errors. Checks `type`, because the error classes are not loaded
 * here and `name` is not reliable.
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

export const isMissingResource = (error: unknown): boolean => toStripeProblem(error)?.code === 'resource_missing'

/** Types of errors that only the operator can fix. */
const OPERATOR_ERROR_TYPES = ['StripeAuthenticationError', 'StripePermissionError', 'StripeInvalidRequestError']

/**
 * Runs a Stripe call. Converts failures to `GatewayDownError`, except for the errors of the gateway interface. Logs
 * errors of `OPERATOR_ERROR_TYPES`, without the request data, and errors that are not from Stripe.
 */
export async function callStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (
      [GatewayDownError, AuthorizationExpiredError, RefundFailedError].some((errorClass) => error instanceof errorClass)
    )
      throw error
    const problem = toStripeProblem(error)
    if (problem === null) {
      console.error(JSON.stringify({ at: 'stripe', error: error instanceof Error ? error.message : 'unknown' }))
      throw new GatewayDownError('The Stripe call failed with an unexpected error.')
    }
    const { type, code, param } = problem
    if (OPERATOR_ERROR_TYPES.includes(type)) console.error(JSON.stringify({ at: 'stripe', type, code, param }))
    throw new GatewayDownError(`Stripe didn't complete the request (${type}).`)
  }
}
