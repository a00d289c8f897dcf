import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id } from '../wire/envelope.ts'
import { intentKey } from './money.ts'
import { subscription } from './subscriptions.ts'

/** Cameras that one question names at most. */
export const BINDINGS_MAX = 99

/** Which plan covers a camera. Ids of subscriptions are told to the account that has them, null to everybody else. */
const binding = v.object({
  device_mac: deviceId,
  /** null: none. `home`: a plan for every camera of the home, `licence`: one that this camera is bound to. */
  plan: v.nullable(
    v.object({
      subscription_id: v.nullable(id),
      sku: subscription.entries.sku,
      by: v.picklist(['home', 'licence']),
    }),
  ),
  /** The licence that the camera is bound to, whether or not that is what covers it. */
  bound_to: v.nullable(id),
  /** How many days what it records is kept. */
  keeps_days: v.number(),
})
export type Binding = v.InferOutput<typeof binding>

/**
 * Binds cameras to licences of a subscription (OPEN-126). Answers what became of each; a bulk that fails in part has the code
 * 4301 (OPEN-156). The same again changes nothing.
 */
export const activate = call('CALL-06', 'POST', '/api/v2/active', 'web-backend', {
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
/** Ids that are nobody's are left out. So are cameras that the account may not see. */
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

const result = v.object({
  device_mac: deviceId,
  done: v.boolean(),
  why: v.nullable(v.picklist(['not_bound', 'not_yours', 'no_licence', 'bound'])),
})
/** Frees the licences of cameras; answers what became of each. What they no longer keep is hidden, then deleted. */
export const unbind = call(
  'EXT-unbind',
  'POST',
  '/extension/unbind',
  'extension',
  {
    request: v.object({
      subscription_id: id,
      device_macs: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(BINDINGS_MAX)),
      intent: intentKey,
    }),
    response: envelope(200, v.object({ devices: v.array(result) })),
  },
  { nonce: true },
)
/** Takes a licence from one camera to another, in one step. */
export const transferLicense = call(
  'EXT-move-licence',
  'POST',
  '/extension/move-licence',
  'extension',
  {
    request: v.object({ subscription_id: id, from: deviceId, to: deviceId, intent: intentKey }),
    response: envelope(200, v.object({ devices: v.array(result) })),
  },
  { nonce: true },
)
/** Whether new cameras take a free licence by themselves. */
export const getAutoCover = call('EXT-auto-cover', 'GET', '/extension/auto-cover', 'extension', {
  request: v.object({}),
  response: envelope(200, v.object({ on: v.boolean() })),
})
export const setAutoCover = call(
  'EXT-set-auto-cover',
  'PUT',
  '/extension/auto-cover',
  'extension',
  { request: v.object({ on: v.boolean(), intent: intentKey }), response: envelope(200, v.object({ on: v.boolean() })) },
  { nonce: true },
)
