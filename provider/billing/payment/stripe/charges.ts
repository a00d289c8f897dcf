import type Stripe from 'stripe'
import {
  AuthorizationExpired,
  GatewayDown,
  RefundFailed,
  type AuthorizationResult,
  type ChargeRequest,
  type GatewayCharge,
} from '../gateway-interface.ts'
import { isMissing, toStripeProblem, type StripeEnv } from './client.ts'
import { findCustomer } from './customers.ts'
import { toDecline } from './decline-codes.ts'

type Intent = Stripe.PaymentIntent

/** Time limit of the bank's challenge. After it the charge is canceled, so that the account can buy again. */
export const ACTION_MS = 1_800_000
/**
 * Page to which the bank returns the buyer after its challenge. The page that started the payment continues
 * automatically.
 */
const AFTER_ACTION = '/account/services'
const PAGE = 100

/**
 * Charges at Stripe. Stripe's idempotency keys expire after a day, but the ledger's keys never do. An existing charge
 * is therefore found among the customer's charges by the key in its metadata, and only a missing charge is created.
 * Nothing is stored here.
 */
export class StripeCharges {
  private readonly env: StripeEnv
  private readonly stripe: Stripe
  constructor(env: StripeEnv, stripe: Stripe) {
    this.env = env
    this.stripe = stripe
  }

  async authorize(ask: ChargeRequest, now: number): Promise<AuthorizationResult> {
    const customer = await findCustomer(this.env, ask.account)
    if (customer === null) return toDecline({ code: 'resource_missing', declineCode: '' }, false)
    const existing = await this.find(customer, ask.key)
    if (existing !== null) return await this.answer(existing, ask, now)
    try {
      return await this.answer(await this.create(customer, ask), ask, now)
    } catch (error) {
      const problem = toStripeProblem(error)
      const isOver = isMissing(error) && problem?.param === 'payment_method'
      // Stripe rejects every retry of such a request: the amount is below the bank's minimum, or the method was
      // deleted.
      const isRefused = problem?.type === 'StripeCardError' || problem?.type === 'StripeInvalidRequestError'
      if (problem === null || (!isRefused && !isOver)) throw error
      // Reads the bank's result from the stored charge, so that every call returns the same.
      const made = await this.find(customer, ask.key)
      return made === null ? toDecline(problem, false) : await this.answer(made, ask, now)
    }
  }

  async capture(account: string, key: string): Promise<string> {
    const intent = await this.mustFind(account, key)
    if (intent.status === 'canceled')
      throw new AuthorizationExpired('What was authorised is over: nothing was collected.')
    if (intent.status === 'succeeded') return getChargeId(intent)
    return getChargeId(await this.stripe.paymentIntents.capture(intent.id, {}, { idempotencyKey: `${key} capture` }))
  }

  async refund(account: string, key: string, refundKey: string, cents: number): Promise<string> {
    const { id } = await this.mustFind(account, key)
    const refundParams = { payment_intent: id, amount: cents, metadata: { key: refundKey, account } }
    const refund =
      (await this.findRefund(id, refundKey)) ??
      (await this.stripe.refunds.create(refundParams, { idempotencyKey: refundKey }))
    if (isReturned(refund)) throw new RefundFailed('The bank has returned the refund.')
    return refund.id
  }

  async hasFailed(account: string, key: string, refundKey: string): Promise<boolean> {
    const { id } = await this.mustFind(account, key)
    const refund = await this.findRefund(id, refundKey)
    return refund !== undefined && isReturned(refund)
  }

  private async findRefund(intent: string, refundKey: string): Promise<Stripe.Refund | undefined> {
    const made = await this.stripe.refunds.list({ payment_intent: intent, limit: PAGE })
    return made.data.find(({ metadata }) => metadata?.['key'] === refundKey)
  }

  /** Returns collected charges, oldest first. Charges made by hand carry Stripe's own id as their key. */
  async collected(account: string): Promise<GatewayCharge[]> {
    const customer = await findCustomer(this.env, account)
    const all: GatewayCharge[] = []
    if (customer === null) return all
    await this.stripe.paymentIntents
      .list({ customer, limit: PAGE, expand: ['data.latest_charge'] })
      .autoPagingEach((intent) => {
        const { latest_charge: charge, metadata, id, currency, amount_received: cents } = intent
        if (intent.status !== 'succeeded' || charge === null || typeof charge === 'string') return
        const { amount_refunded: refunded, created } = charge
        const amounts = { cents, currency: currency.toUpperCase(), refunded }
        all.unshift({ key: metadata['key'] ?? id, charge: charge.id, ...amounts, at: created * 1000 })
      })
    return all
  }

  private create(
    customer: string,
    { key, account, token, cents, currency, isPresent }: ChargeRequest,
  ): Promise<Intent> {
    return this.stripe.paymentIntents.create(
      {
        ...{ amount: cents, currency: currency.toLowerCase(), customer, payment_method: token },
        ...{ payment_method_types: ['card'], capture_method: 'manual', confirm: true, metadata: { key, account } },
        // The bank can show its challenge only to a buyer who is present.
        ...(isPresent ? { return_url: `${this.env.PORTAL_ORIGIN}${AFTER_ACTION}` } : { off_session: true }),
        expand: ['payment_method'],
      },
      { idempotencyKey: key },
    )
  }

  private async answer(intent: Intent, ask: ChargeRequest, now: number): Promise<AuthorizationResult> {
    switch (intent.status) {
      case 'requires_capture':
      case 'succeeded':
        return { state: 'authorised', authorisation: intent.id }
      case 'processing':
        return { state: 'pending' }
      case 'requires_action':
        return await this.resolveAction(intent, ask, now)
      case 'canceled':
        return toDecline({ code: 'payment_intent_payment_attempt_expired', declineCode: '' }, false)
      default:
        return toIntentDecline(intent)
    }
  }

  /** Returns the URL of the bank's challenge. Cancels the charge if the challenge was abandoned or has no page. */
  private async resolveAction(intent: Intent, ask: ChargeRequest, now: number): Promise<AuthorizationResult> {
    const url = intent.next_action?.redirect_to_url?.url ?? null
    if (url !== null && now < (ask.begunAt ?? intent.created * 1000) + ACTION_MS) return { state: 'action', url }
    const idempotencyKey = `${ask.key} cancel`
    const over = { cancellation_reason: 'abandoned' } as const
    return await this.answer(await this.stripe.paymentIntents.cancel(intent.id, over, { idempotencyKey }), ask, now)
  }

  private async mustFind(account: string, key: string): Promise<Intent> {
    const customer = await findCustomer(this.env, account)
    const found = customer === null ? null : await this.find(customer, key)
    if (found === null) throw new GatewayDown('Nothing was authorised by this key.')
    return found
  }

  private async find(customer: string, key: string): Promise<Intent | null> {
    let found: Intent | null = null
    await this.stripe.paymentIntents
      .list({ customer, limit: PAGE, expand: ['data.payment_method'] })
      .autoPagingEach((intent) => {
        if (intent.metadata['key'] === key) found = intent
        return found === null
      })
    return found
  }
}

const isReturned = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

function getChargeId({ latest_charge: charge }: Intent): string {
  if (charge === null) throw new GatewayDown('What was collected has no charge yet.')
  return typeof charge === 'string' ? charge : charge.id
}

/** Declines a charge for which the bank has no result either, because nothing would confirm it later. */
function toIntentDecline({ last_payment_error: error }: Intent): AuthorizationResult {
  const problem = { code: error?.code ?? '', declineCode: error?.decline_code ?? '' }
  return toDecline(problem, Boolean(error?.payment_method?.card?.wallet))
}
