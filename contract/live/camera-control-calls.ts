/** Calls for a single camera that no page needs in its first load. */
import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, emptyObject, envelope, id, text, timestampMs } from '../wire/envelope.ts'

/** Wakes a battery camera for a viewer. 409: its bridge is offline. */
export const runAction = call(
  'CALL-31',
  'POST',
  '/device-management/run_action',
  'device-management',
  {
    request: v.object({
      targetInfo: v.object({ id: deviceId, type: v.literal('DEVICE'), productModel: text(64) }),
      capabilities: v.pipe(
        v.array(
          v.object({
            name: v.literal('wakeup'),
            functions: v.pipe(
              v.array(v.object({ name: v.literal('wakeup-live-view'), in: v.optional(emptyObject) })),
              v.minLength(1),
              v.maxLength(1),
            ),
          }),
        ),
        v.minLength(1),
        v.maxLength(1),
      ),
      transactionId: id,
    }),
    response: envelope(200, v.object({ transactionId: id })),
  },
  { nonce: true },
)

/**
 * Sets the maximum rendition of a camera for all viewers. 403: the caller does not own the camera; 400: the camera has
 * no such rendition.
 */
export const setResolution = call('CALL-41', 'POST', '/mars/resolution', 'device', {
  request: v.object({ did: deviceId, resolution: text(12) }),
  response: envelope(200, v.object({ resolution: text(12) })),
})

/**
 * Requests a new snapshot for browsers that cannot play video. The bridge captures at most about one per second, and
 * only while the camera is awake. The snapshot then becomes the last picture (`/m/last/{device_id}`). `taken_at`: time
 * at which the stored last picture arrived, ms UTC; it can still be an earlier snapshot. null: no picture is stored.
 */
export const requestNewSnapshot = call(
  'EXT-snapshot',
  'POST',
  '/extension/snapshot',
  'extension',
  {
    request: v.object({ device_id: deviceId }),
    response: envelope(200, v.object({ taken_at: v.nullable(timestampMs) })),
  },
  { nonce: true },
)

/**
 * Swaps the two views of a dual-lens camera for all viewers. 403: the caller does not own the camera; 400: the camera
 * has only one lens.
 */
export const sendCommand = call('CALL-42', 'POST', '/mars/send-command', 'device', {
  request: v.object({ did: deviceId, action: v.literal('exchange_pip'), params: v.literal('pip') }),
  response: envelope(200, v.object({ swapped: v.boolean() })),
})
