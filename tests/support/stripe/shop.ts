import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { confirmCardSession, openCardSession } from '../../../contract/billing/payment-calls.ts'
import { createPurchase, previewPurchase, processTask, type Quote } from '../../../contract/billing/purchase.ts'
import { getSubscriptions, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { findMismatches } from '../../../provider/billing/reconciliation/find-mismatches.ts'
import type { Audit } from '../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { selectGateway } from '../../../provider/billing/payment/select-gateway.ts'
import { addAccount, openNeighborhood, type Account, type Answer, type Neighborhood } from '../home.ts'
import { openStripe, STRIPE_KEY, WEBHOOK_SECRET, type StripeServer } from '../stripe-server.ts'
import type { Card, Fields, Intent } from './objects.ts'

export const T1 = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const

export type Buyer = Account & { readonly method_id: string }

export interface Shop {
  readonly town: Neighborhood
  readonly stripe: StripeServer
  /** Creates a new account; `card` is entered on Stripe's page and confirmed. */
  buyer(card?: Card): Promise<Buyer>
  addCard(as: Account, card: Card): Promise<PaymentMethod>
  quote(as: Account): Promise<string>
  /**
   * Requests a quote, and buys with this quote and a new idempotency key. `more` overrides fields of the request,
   * including these two.
   */
  buy(as: Buyer, more?: Record<string, unknown>): Promise<Answer>
  task(as: Account, process_id: string): Promise<Answer>
  plans(as: Account): Promise<readonly Subscription[]>
  /** Mismatches between ledger, Stripe and the D1 rows. */
  differences(as: Account): Promise<object[]>
  /** Posts an event to the provider's webhook, as Stripe does. */
  hear(sent: { body: string; signature: string }): Promise<Response>
  close(): Promise<void>
}

let people = 0
let keys = 0

export async function openShop(change: Record<string, string> = {}): Promise<Shop> {
  const stripe = await openStripe()
  const env = { BILLING_GATEWAY: 'stripe', STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }
  const town = await openNeighborhood({ change: () => ({ ...env, STRIPE_API_ORIGIN: stripe.origin, ...change }) })
  const { bindings } = town
  const shop: Shop = {
    ...{ town, stripe },
    async buyer(card) {
      const as = await addAccount(bindings, `payer${(people += 1)}`)
      return { ...as, method_id: card ? (await shop.addCard(as, card)).method_id : '' }
    },
    async addCard(as, card) {
      const { session_id, url } = (await town.call(as, openCardSession)).body.data as {
        session_id: string
        url: string
      }
      stripe.account.fill(url, card)
      return (await town.call(as, confirmCardSession, { session_id })).body.data.method as PaymentMethod
    },
    quote: async (as) => ((await town.call(as, previewPurchase, { ...T1 })).body.data as Quote).quote,
    async buy(as, more = {}) {
      const quote = more['quote'] ?? (await shop.quote(as))
      const intent = `intent_at_stripe_${String((keys += 1)).padStart(4, '0')}`
      return await town.call(as, createPurchase, { ...T1, quote, intent, method_id: as.method_id, ...more })
    },
    task: (as, process_id) => town.call(as, processTask, { process_id }),
    async plans(as) {
      return (await town.call(as, getSubscriptions, {}, { uuid: as.userId })).body.data.subscriptions as Subscription[]
    },
    async differences({ userId }) {
      const audit = (await bindings.LEDGERS.getByName(userId).audit(Date.now())) as Audit
      const { results } = await bindings.DB.prepare('SELECT * FROM subscriptions WHERE user_id = ?').bind(userId).all()
      const charges = (await selectGateway(bindings)?.charges(userId)) ?? []
      const projected = { subscriptions: results, bindings: [], cameras: new Set<string>() }
      return findMismatches(audit, charges, projected)
    },
    hear: ({ body, signature }) =>
      fetch(`${town.stage.env.PROVIDER_ORIGIN}/gateway/stripe`, {
        method: 'POST',
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
        body,
      }),
    async close() {
      await town.close()
      await stripe.close()
    },
  }
  return shop
}

export function lastIntent({ stripe }: Shop, { userId }: Account): Intent {
  const own = [...stripe.account.intents.values()].filter(({ metadata }) => metadata['account'] === userId)
  const last = own.at(-1)
  if (!last) throw new Error('Nothing was asked for.')
  return last
}

/**
 * Returns the requests to Stripe that begin with `prefix` and contain this ledger key, as idempotency key or in their
 * metadata.
 */
export const askedFor = ({ stripe }: Shop, prefix: string, key: string) =>
  stripe.asked.filter((request) => {
    const metadata = request.fields['metadata'] as Fields | undefined
    return request.what.startsWith(prefix) && (request.key === key || metadata?.['key'] === key)
  })
