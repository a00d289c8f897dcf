import type { Hono } from 'hono'
import { BODY_BYTES_MAX, readText } from '../../../contract/wire/body-limits.ts'
import { notFound, ApiError } from '../../platform/api-error.ts'
import type { AppEnv } from '../../env.ts'
import { getLedgerStub } from '../ledger/ledger-stub.ts'
import { toStripeEnv } from '../payment/select-gateway.ts'
import { recordWebhookEvent, verifyWebhookEvent, wasEventProcessed } from '../payment/stripe/webhook-events.ts'

/** Path of the webhook; its URL is entered at Stripe. */
export const GATEWAY_EVENTS_PATH = '/gateway/stripe'

/**
 * Mounts the Stripe webhook. An event only makes the ledger resume the charge or check the refund that the event names;
 * the ledger gets all results from Stripe's API. Duplicate, late or reordered events are therefore harmless, and the
 * ledger also works without events.
 */
export function stripeWebhookRoutes(app: Hono<AppEnv>): void {
  app.post(GATEWAY_EVENTS_PATH, async (c) => {
    const env = toStripeEnv(c.env)
    if (env === null || !env.STRIPE_WEBHOOK_SECRET) throw notFound()
    const now = Date.now()
    const body = await readText(c.req.raw, BODY_BYTES_MAX.call)
    const webhookEvent = await verifyWebhookEvent(env, body, c.req.header('stripe-signature') ?? '')
    if (webhookEvent === null)
      throw new ApiError(400, 400, 'This event isn’t signed by Stripe, or its signature is too old.')
    if (await wasEventProcessed(env, webhookEvent.event)) return c.json({ code: 200 })
    if (webhookEvent.account !== null) {
      const ledger = getLedgerStub(c.env, webhookEvent.account)
      if (webhookEvent.about === 'refund') await ledger.checkRefund(webhookEvent.key, now)
      else if (webhookEvent.key !== '') await ledger.handleGatewayEvent(webhookEvent.key, now)
      await ledger.processDue(now)
    }
    // Record the event last. If an earlier step fails, Stripe sends the event again and it is processed.
    await recordWebhookEvent(env, webhookEvent.event, now)
    return c.json({ code: 200 })
  })
}
