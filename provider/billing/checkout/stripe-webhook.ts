import type { Hono } from 'hono'
import { BODY_MAX, readText } from '../../../contract/wire/body-limits.ts'
import { notFound, Refusal } from '../../platform/api-error.ts'
import type { AppEnv } from '../../env.ts'
import { ledgerOf } from '../ledger/ledger-stub.ts'
import { stripeEnvOf } from '../payment/select-gateway.ts'
import { noteHeard, readEvent, wasHeard } from '../payment/stripe/webhook-events.ts'

/** Where Stripe tells what has happened; the address that is entered there. */
export const GATEWAY_EVENTS_PATH = '/gateway/stripe'

/**
 * Mounts what Stripe calls by itself. An event only makes the ledger look at the charge that it names: what it asks Stripe then is
 * what counts, so that one that comes twice, late or in another order changes nothing, and none is missed where none come.
 */
export function gatewayEvents(app: Hono<AppEnv>): void {
  app.post(GATEWAY_EVENTS_PATH, async (c) => {
    const env = stripeEnvOf(c.env)
    if (env === null || !env.STRIPE_WEBHOOK_SECRET) throw notFound()
    const now = Date.now()
    const body = await readText(c.req.raw, BODY_MAX.call)
    const heard = await readEvent(env, body, c.req.header('stripe-signature') ?? '')
    if (heard === null) throw new Refusal(400, 400, 'This event is not signed by Stripe, or was signed too long ago.')
    if (await wasHeard(env, heard.event)) return c.json({ code: 200 })
    if (heard.account !== null) {
      const ledger = ledgerOf(c.env, heard.account)
      if (heard.about === 'refund') await ledger.checkRefund(heard.key, now)
      else if (heard.key !== '') await ledger.task(heard.key, now)
      await ledger.due(now)
    }
    // Noted afterwards: what failed half-way comes again.
    await noteHeard(env, heard.event, now)
    return c.json({ code: 200 })
  })
}
