import type Stripe from 'stripe'
import {
  AuthorizationExpiredError,
  GatewayDownError,
  RefundFailedError,
  type AuthorizationResult,
  type ChargeRequest,
  type GatewayCharge,
} from '../gateway-interface.ts'
import { CARDS_ONLY, isMissingResource, toStripeProblem, type StripeEnv } from './client.ts'
import { findCustomer } from './customers.ts'
import { toDecline } from './decline-codes.ts'

type PaymentIntent = Stripe.PaymentIntent

/** Time limit of the bank's challenge. Afterwards, the charge is canceled, so that the account can buy again. */
export const CHALLENGE_TIMEOUT_MS = 1_800_000
/** Portal path that the bank opens after its challenge. The payment itself continues in the page that started it. */
const CHALLENGE_RETURN_PATH = '/account/services'
const PAGE_SIZE = 100

/**
 * Charges at Stripe, found by the ledger's key in their metadata. Stripe's own idempotency keys expire after a day, but
 * the ledger's keys never expire.
 */
export class StripeCharges {
  readonly #env: StripeEnv
  readonly #stripe: Stripe
  constructor(env: StripeEnv, stripe: Stripe) {
    this.#env = env
    this.#stripe = stripe
  }

  async authorize(request: ChargeRequest, now: number): Promise<AuthorizationResult> {
    const customer = await findCustomer(this.#env, request.account)
    if (customer === null) return toDecline({ code: 'resource_missing', declineCode: '' }, false)
    const existing = await this.#find(customer, request.key)
    if (existing !== null) return await this.#toAuthorizationResult(existing, request, now)
    try {
      return await this.#toAuthorizationResult(await this.#create(customer, request), request, now)
    } catch (error) {
      const problem = toStripeProblem(error)
      const isMethodMissing = isMissingResource(error) && problem?.param === 'payment_method'
      // After these errors, Stripe would reject every retry, for example because the amount is below the minimum or the
      // method was deleted.
      const isRejected = problem?.type === 'StripeCardError' || problem?.type === 'StripeInvalidRequestError'
      if (problem === null || (!isRejected && !isMethodMissing)) throw error
      // Read the bank's result from the stored charge, so that every call returns the same result.
      const made = await this.#find(customer, request.key)
      return made === null ? toDecline(problem, false) : await this.#toAuthorizationResult(made, request, now)
    }
  }

  async capture(account: string, key: string): Promise<string> {
    const intent = await this.#getIntent(account, key)
    if (intent.status === 'canceled')
      throw new AuthorizationExpiredError('The authorization has expired. Nothing was collected.')
    if (intent.status === 'succeeded') return getChargeId(intent)
    return getChargeId(await this.#stripe.paymentIntents.capture(intent.id, {}, { idempotencyKey: `${key} capture` }))
  }

  async refund(account: string, key: string, refundKey: string, cents: number): Promise<string> {
    const { id } = await this.#getIntent(account, key)
    const refundParams = { payment_intent: id, amount: cents, metadata: { key: refundKey, account } }
    const refund =
      (await this.#findRefund(id, refundKey)) ??
      (await this.#stripe.refunds.create(refundParams, { idempotencyKey: refundKey }))
    if (isFailedRefund(refund)) throw new RefundFailedError('The bank returned the refund.')
    return refund.id
  }

  async hasRefundFailed(account: string, key: string, refundKey: string): Promise<boolean> {
    const { id } = await this.#getIntent(account, key)
    const refund = await this.#findRefund(id, refundKey)
    return refund !== undefined && isFailedRefund(refund)
  }

  async #findRefund(intent: string, refundKey: string): Promise<Stripe.Refund | undefined> {
    const made = await this.#stripe.refunds.list({ payment_intent: intent, limit: PAGE_SIZE })
    return made.data.find(({ metadata }) => metadata?.['key'] === refundKey)
  }

  /** Returns collected charges, oldest first. Charges without a ledger key use Stripe's id as their key. */
  async listCollected(account: string): Promise<GatewayCharge[]> {
    const customer = await findCustomer(this.#env, account)
    const all: GatewayCharge[] = []
    if (customer === null) return all
    await this.#stripe.paymentIntents
      .list({ customer, limit: PAGE_SIZE, expand: ['data.latest_charge'] })
      .autoPagingEach((intent) => {
        const { latest_charge: charge, metadata, id, currency, amount_received: cents } = intent
        if (intent.status !== 'succeeded' || charge === null || typeof charge === 'string') return
        const { amount_refunded: refunded, created } = charge
        const amounts = { cents, currency: currency.toUpperCase(), refunded }
        all.unshift({ key: metadata['key'] ?? id, charge: charge.id, ...amounts, at: created * 1000 })
      })
    return all
  }

  #create(
    customer: string,
    { key, account, token, cents, currency, isPresent }: ChargeRequest,
  ): Promise<PaymentIntent> {
    return this.#stripe.paymentIntents.create(
      {
        amount: cents,
        currency: currency.toLowerCase(),
        customer,
        payment_method: token,
        ...CARDS_ONLY,
        capture_method: 'manual',
        confirm: true,
        metadata: { key, account },
        // The bank can show its challenge only to a buyer who is present.
        ...(isPresent ? { return_url: `${this.#env.PORTAL_ORIGIN}${CHALLENGE_RETURN_PATH}` } : { off_session: true }),
        expand: ['payment_method'],
      },
      { idempotencyKey: key },
    )
  }

  async #toAuthorizationResult(
    intent: PaymentIntent,
    request: ChargeRequest,
    now: number,
  ): Promise<AuthorizationResult> {
    switch (intent.status) {
      case 'requires_capture':
      case 'succeeded':
        return { state: 'authorised', authorisation: intent.id }
      case 'processing':
        return { state: 'pending' }
      case 'requires_action':
        return await this.#resolveAction(intent, request, now)
      case 'canceled':
        return toDecline({ code: 'payment_intent_payment_attempt_expired', declineCode: '' }, false)
      default:
        return toIntentDecline(intent)
    }
  }

  /** Returns the URL of the bank's challenge. Cancels the charge if the challenge has timed out or has no page. */
  async #resolveAction(intent: PaymentIntent, request: ChargeRequest, now: number): Promise<AuthorizationResult> {
    const url = intent.next_action?.redirect_to_url?.url ?? null
    if (url !== null && now < (request.begunAt ?? intent.created * 1000) + CHALLENGE_TIMEOUT_MS)
      return { state: 'action', url }
    const idempotencyKey = `${request.key} cancel`
    const cancelParams = { cancellation_reason: 'abandoned' } as const
    return await this.#toAuthorizationResult(
      await this.#stripe.paymentIntents.cancel(intent.id, cancelParams, { idempotencyKey }),
      request,
      now,
    )
  }

  async #getIntent(account: string, key: string): Promise<PaymentIntent> {
    const customer = await findCustomer(this.#env, account)
    const found = customer === null ? null : await this.#find(customer, key)
    if (found === null) throw new GatewayDownError('No charge was authorized with this key.')
    return found
  }

  async #find(customer: string, key: string): Promise<PaymentIntent | null> {
    let found: PaymentIntent | null = null
    await this.#stripe.paymentIntents
      .list({ customer, limit: PAGE_SIZE, expand: ['data.payment_method'] })
      .autoPagingEach((intent) => {
        if (intent.metadata['key'] === key) found = intent
        return found === null
      })
    return found
  }
}

const isFailedRefund = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

function getChargeId({ latest_charge: charge }: PaymentIntent): string {
  if (charge === null) throw new GatewayDownError('The collected payment has no charge yet.')
  return typeof charge === 'string' ? charge : charge.id
}

/** Returns a decline even if the bank reported no error, because no later step would confirm the charge. */
function toIntentDecline({ last_payment_error: error }: PaymentIntent): AuthorizationResult {
  const problem = { code: error?.code ?? '', declineCode: error?.decline_code ?? '' }
  return toDecline(problem, Boolean(error?.payment_method?.card?.wallet))
}
