import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs } from '../wire/envelope.ts'
import { idempotencyKey } from './money.ts'
import { subscription } from './subscriptions.ts'

/** Maximum number of cameras per call. */
export const BINDINGS_MAX = 99

/** Plan that covers a camera. Only the subscription's owner sees subscription ids; other accounts get null. */
const binding = v.object({
  device_mac: deviceId,
  /** null: no plan. `home`: a plan for every camera of the home; `licence`: a license assigned to this camera. */
  plan: v.nullable(
    v.object({
      subscription_id: v.nullable(id),
      sku: subscription.entries.sku,
      by: v.picklist(['home', 'licence']),
    }),
  ),
  /**
   * Subscription of the requesting account whose license is assigned to the camera, even if another plan covers the
   * camera; null: none.
   */
  bound_to: v.nullable(id),
  /** Time at which this camera got the license `bound_to`, ms UTC. Omitted if there is none, or no stored time. */
  bound_at: v.optional(timestampMs),
  keeps_days: v.number(),
})
export type Binding = v.InferOutput<typeof binding>

/**
 * Assigns licenses of a subscription to cameras (OPEN-126). Returns a result per camera. The code is 4301 if at least
 * one camera gets no license (OPEN-156). Idempotent.
 */
export const activateLicenses = call('CALL-06', 'POST', '/api/v2/active', 'web-backend', {
  request: v.object({
    subscription_id: id,
    device_macs: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(BINDINGS_MAX)),
  }),
  response: v.object({
    code: v.picklist([200, 4301]),
    data: v.object({
      devices: v.array(
        v.object({
          device_mac: deviceId,
          bound: v.boolean(),
          why: v.nullable(v.picklist(['no_licence', 'not_yours', 'bound'])),
        }),
      ),
    }),
  }),
})
/** Returns the plans that cover cameras. Omits unknown ids and cameras that the account may not see. */
export const batchGetBindings = call(
  'CALL-29',
  'POST',
  '/membership/v2/batch_get_bindings',
  'membership-v2',
  {
    request: v.object({ device_macs: v.pipe(v.array(deviceId), v.maxLength(BINDINGS_MAX)) }),
    response: envelope(200, v.object({ bindings: v.array(binding) })),
  },
  { nonce: true },
)

const licenseResult = v.object({
  device_mac: deviceId,
  done: v.boolean(),
  why: v.nullable(v.picklist(['not_bound', 'not_yours', 'no_licence', 'bound'])),
})
/**
 * Unassigns the licenses of cameras. Returns a result per camera. Events beyond the new retention period of a camera
 * are hidden and later deleted.
 */
export const unassignLicenses = call(
  'EXT-unbind',
  'POST',
  '/extension/unbind',
  'extension',
  {
    request: v.object({
      subscription_id: id,
      device_macs: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(BINDINGS_MAX)),
      intent: idempotencyKey,
    }),
    response: envelope(200, v.object({ devices: v.array(licenseResult) })),
  },
  { nonce: true },
)
/** Transfers a license from one camera to another. If either camera is rejected, nothing changes. */
export const transferLicense = call(
  'EXT-move-licence',
  'POST',
  '/extension/move-licence',
  'extension',
  {
    request: v.object({ subscription_id: id, from: deviceId, to: deviceId, intent: idempotencyKey }),
    response: envelope(200, v.object({ devices: v.array(licenseResult) })),
  },
  { nonce: true },
)
/** Returns `on`: true if a new camera automatically gets an unassigned license. */
export const getAutoAssignment = call('EXT-auto-cover', 'GET', '/extension/auto-cover', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ on: v.boolean() })),
})
export const setAutoAssignment = call(
  'EXT-set-auto-cover',
  'PUT',
  '/extension/auto-cover',
  'extension',
  {
    request: v.object({ on: v.boolean(), intent: idempotencyKey }),
    response: envelope(200, v.object({ on: v.boolean() })),
  },
  { nonce: true },
)
