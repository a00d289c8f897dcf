import type { Hono } from 'hono'
import { BODY_MAX, readText } from '../../../contract/wire/body-limits.ts'
import { notFound, ApiError } from '../../platform/api-error.ts'
import type { AppEnv } from '../../env.ts'
import { ledgerStub } from '../ledger/ledger-stub.ts'
import { toStripeEnv } from '../payment/select-gateway.ts'
import { recordWebhookEvent, readEvent, wasHeard } from '../payment/stripe/webhook-events.ts'

/** Where Stripe tells what has happened; the address that is entered there. */
export const GATEWAY_EVENTS_PATH = '/gateway/stripe'

/**
 * Mounts what Stripe calls by itself. An event only makes the ledger look at the charge that it names: what it asks Stripe then is
 * what counts, so that one that comes twice, late or in another order changes nothing, and none is missed where none come.
 */
export function gatewayEvents(app: Hono<AppEnv>): void {
  app.post(GATEWAY_EVENTS_PATH, async (c) => {
    const env = toStripeEnv(c.env)
    if (env === null || !env.STRIPE_WEBHOOK_SECRET) throw notFound()
    const now = Date.now()
    const body = await readText(c.req.raw, BODY_MAX.call)
    const webhookEvent = await readEvent(env, body, c.req.header('stripe-signature') ?? '')
    if (webhookEvent === null)
      throw new ApiError(400, 400, 'This event is not signed by Stripe, or was signed too long ago.')
    if (await wasHeard(env, webhookEvent.event)) return c.json({ code: 200 })
    if (webhookEvent.account !== null) {
      const ledger = ledgerStub(c.env, webhookEvent.account)
      if (webhookEvent.about === 'refund') await ledger.checkRefund(webhookEvent.key, now)
      else if (webhookEvent.key !== '') await ledger.task(webhookEvent.key, now)
      await ledger.due(now)
    }
    // Noted afterwards: what failed half-way comes again.
    await recordWebhookEvent(env, webhookEvent.event, now)
    return c.json({ code: 200 })
  })
}
