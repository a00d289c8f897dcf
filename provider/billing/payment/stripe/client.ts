import type Stripe from 'stripe'
import type { Env } from '../../../env.ts'
import { AuthorizationExpired, GatewayDown, RefundFailed } from '../gateway-interface.ts'

/** What it takes to ask Stripe. */
export interface StripeEnv extends Pick<Env, 'DB' | 'PORTAL_ORIGIN' | 'STRIPE_API_ORIGIN' | 'STRIPE_WEBHOOK_SECRET'> {
  readonly STRIPE_SECRET_KEY: string
}

/** A question that is not answered by then is as good as lost. The book asks twice, and again later. */
const TIMEOUT_MS = 8000
/** What was dropped, or came twice at the same moment (409), is asked once more at once, by the same key. */
const RETRIES = 1

/** The package is large and only money needs it: it is loaded when it is asked for. */
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

/** What an error of Stripe says of itself; null: it is none of Stripe's. */
export interface StripeProblem {
  readonly type: string
  readonly code: string
  readonly declineCode: string
  /** The parameter that is wrong. */
  readonly param: string
}

/** By its `type`: the package's classes are not loaded here, and `name` is not what it says. */
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

/** Whether Stripe does not know what was named. */
export const isMissing = (error: unknown): boolean => toStripeProblem(error)?.code === 'resource_missing'

/** What the operator has to mend: it never passes by itself. */
const OWN_FAULTS = ['StripeAuthenticationError', 'StripePermissionError', 'StripeInvalidRequestError']

/** Asks Stripe. What it does not answer is `GatewayDown`; a fault of our own is said in the log as well, without what was sent. */
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
