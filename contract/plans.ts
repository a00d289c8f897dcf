import * as v from 'valibot'
import { call, later } from './call.ts'
import { envelope, id, nothing, text } from './envelope.ts'
import { SKUS } from './skus.ts'

export const subscription = v.object({
  subscription_id: id,
  sku: v.picklist(SKUS),
  status: v.picklist(['active', 'cancelled', 'past_due']),
  quantity: v.number(),
  period: v.picklist(['monthly', 'annual']),
  billing_provider: text(20),
  /** ms UTC */
  renews_at: v.number(),
  /** Whether it gives anything now: it does until the end of what is paid (OPEN-145). */
  running: v.optional(v.boolean(), true),
})
export type Subscription = v.InferOutput<typeof subscription>

/** A read of the user's subscriptions (OPEN-92); `uuid` must be the signed-in user's own (OPEN-85). */
export const getSubscriptions = call('CALL-08', 'POST', '/api/v2/subscriptions/{uuid}', 'web-backend', {
  request: nothing,
  response: envelope(200, v.object({ subscriptions: v.array(subscription) })),
})
export const servicesExtension = later('CALL-15', 'GET', '/services/extension', 'web-backend')
export const processTask = later('CALL-10', 'POST', '/api/v2/get_process_task', 'web-backend')
