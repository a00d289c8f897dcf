import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { confirmCardSession, openCardSession } from '../../../contract/billing/payment-calls.ts'
import { createPurchase, previewPurchase, getPurchaseTask, type Quote } from '../../../contract/billing/purchase.ts'
import { getSubscriptions, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { findMismatches } from '../../../provider/billing/reconciliation/find-mismatches.ts'
import type { ReconciliationSnapshot } from '../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { selectGateway } from '../../../provider/billing/payment/select-gateway.ts'
import { addAccount, openNeighborhood, type Account, type CallResponse, type Neighborhood } from '../home.ts'
import { openStripe, STRIPE_KEY, WEBHOOK_SECRET, type StripeServer } from '../stripe-server.ts'
import type { StripeTestCard, FormFields, StripePaymentIntent } from './objects.ts'

export const CAMERA_AI_ORDER = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const

export type Buyer = Account & { readonly method_id: string }

export interface Shop {
  readonly neighborhood: Neighborhood
  readonly stripe: StripeServer
  /** Creates an account. If `card` is given, adds it as a payment method through Stripe's page. */
  createBuyer(card?: StripeTestCard): Promise<Buyer>
  addCard(account: Account, card: StripeTestCard): Promise<PaymentMethod>
  requestQuote(account: Account): Promise<string>
  /**
   * Requests a quote, then buys at this quote with a new idempotency key. `more` overrides any field of the request.
   */
  buy(account: Buyer, more?: Record<string, unknown>): Promise<CallResponse>
  processTask(account: Account, process_id: string): Promise<CallResponse>
  listSubscriptions(account: Account): Promise<readonly Subscription[]>
  /** Returns the mismatches between the account's ledger, its charges at Stripe, and its subscription rows in D1. */
  findMismatches(account: Account): Promise<object[]>
  postWebhookEvent(sent: { body: string; signature: string }): Promise<Response>
  close(): Promise<void>
}

let buyerCount = 0
let idempotencyKeyCount = 0

export async function openShop(change: Record<string, string> = {}): Promise<Shop> {
  const stripe = await openStripe()
  const env = { BILLING_GATEWAY: 'stripe', STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }
  const neighborhood = await openNeighborhood({
    change: () => ({ ...env, STRIPE_API_ORIGIN: stripe.origin, ...change }),
  })
  const { bindings } = neighborhood
  const shop: Shop = {
    neighborhood,
    stripe,
    async createBuyer(card) {
      const account = await addAccount(bindings, `payer${(buyerCount += 1)}`)
      return { ...account, method_id: card ? (await shop.addCard(account, card)).method_id : '' }
    },
    async addCard(account, card) {
      const { session_id, url } = (await neighborhood.call(account, openCardSession)).body.data as {
        session_id: string
        url: string
      }
      stripe.account.enterCard(url, card)
      return (await neighborhood.call(account, confirmCardSession, { session_id })).body.data.method as PaymentMethod
    },
    requestQuote: async (account) =>
      ((await neighborhood.call(account, previewPurchase, { ...CAMERA_AI_ORDER })).body.data as Quote).quote,
    async buy(account, more = {}) {
      const quote = more['quote'] ?? (await shop.requestQuote(account))
      const intent = `intent_at_stripe_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`
      return await neighborhood.call(account, createPurchase, {
        ...CAMERA_AI_ORDER,
        quote,
        intent,
        method_id: account.method_id,
        ...more,
      })
    },
    processTask: (account, process_id) => neighborhood.call(account, getPurchaseTask, { process_id }),
    async listSubscriptions(account) {
      return (await neighborhood.call(account, getSubscriptions, {}, { uuid: account.userId })).body.data
        .subscriptions as Subscription[]
    },
    async findMismatches({ userId }) {
      const reconciliationSnapshot = (await bindings.LEDGERS.getByName(userId).createReconciliationSnapshot(
        Date.now(),
      )) as ReconciliationSnapshot
      const { results } = await bindings.DB.prepare('SELECT * FROM subscriptions WHERE user_id = ?').bind(userId).all()
      const charges = (await selectGateway(bindings)?.charges(userId)) ?? []
      const projected = { subscriptions: results, bindings: [], cameras: new Set<string>() }
      return findMismatches(reconciliationSnapshot, charges, projected)
    },
    postWebhookEvent: ({ body, signature }) =>
      fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}/gateway/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
        body,
      }),
    async close() {
      await neighborhood.close()
      await stripe.close()
    },
  }
  return shop
}

export function findLastIntent({ stripe }: Shop, { userId }: Account): StripePaymentIntent {
  const own = [...stripe.account.intents.values()].filter(({ metadata }) => metadata['account'] === userId)
  const last = own.at(-1)
  if (!last) throw new Error('The account has no payment intent.')
  return last
}

/**
 * Returns the requests to Stripe whose operation begins with `prefix`, and whose idempotency key or `metadata.key`
 * equals `key`.
 */
export const filterRequestsByKey = ({ stripe }: Shop, prefix: string, key: string) =>
  stripe.requests.filter((request) => {
    const metadata = request.fields['metadata'] as FormFields | undefined
    return request.operation.startsWith(prefix) && (request.key === key || metadata?.['key'] === key)
  })
