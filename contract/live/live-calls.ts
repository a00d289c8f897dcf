import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, ms, nothing, text } from '../wire/envelope.ts'
import { iceServers } from './ice-servers.ts'

/** How to watch one device (OPEN-51). Tickets inside the URLs are single-use and live for 60 s. */
export const stream = v.object({
  device_id: deviceId,
  provider: v.picklist(['kvs', 'lake']),
  /** WebSocket of the signalling channel, ticket included. */
  signalling_url: v.string(),
  ice_servers: iceServers,
  /** From the lowest to the best. A viewer begins with the lowest and asks for another while it watches. */
  renditions: v.array(text(12)),
  dual: v.boolean(),
  audio: v.boolean(),
  /** Whether the camera sleeps between viewers and must be woken. */
  battery: v.boolean(),
  /** The rendition that was chosen last, for all viewers: none of them gets a better one. Left out: none was. */
  rendition: v.optional(text(12)),
})
export type Stream = v.InferOutput<typeof stream>

/** Ids that are unknown, gone, or no longer shared are left out; 404 when none remains. */
export const getStreams = call(
  'CALL-30',
  'POST',
  '/camera/get-streams',
  'new-device',
  {
    request: v.object({ device_list: v.pipe(v.array(v.object({ device_id: deviceId })), v.maxLength(99)) }),
    response: envelope(200, v.object({ streams: v.array(stream) })),
  },
  { nonce: true },
)

/** Wakes a battery camera for a viewer. 409: its bridge is away, so nobody can. */
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
              v.array(v.object({ name: v.literal('wakeup-live-view'), in: v.optional(nothing) })),
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

/** Sets the rendition of a camera, the best that anybody who watches gets; its owner alone may, others get 403. 400: the camera has no such rendition. */
export const setResolution = call('CALL-41', 'POST', '/mars/resolution', 'device', {
  request: v.object({ did: deviceId, resolution: text(12) }),
  response: envelope(200, v.object({ resolution: text(12) })),
})

/** Swaps the two pictures of a dual camera for all who watch it; its owner alone may, others get 403. 400: not a dual camera. */
export const sendCommand = call('CALL-42', 'POST', '/mars/send-command', 'device', {
  request: v.object({ did: deviceId, action: v.literal('exchange_pip'), params: v.literal('pip') }),
  response: envelope(200, v.object({ swapped: v.boolean() })),
})

/**
 * Asks the camera for a new last picture (`/m/last/{device_id}`), for browsers that can play nothing; the bridge makes one a
 * second at most. `taken_at`: when the stored one arrived, ms UTC; null: there is none. While the bridge is away it stays the same.
 */
export const askSnapshot = call(
  'EXT-snapshot',
  'POST',
  '/extension/snapshot',
  'extension',
  { request: v.object({ device_id: deviceId }), response: envelope(200, v.object({ taken_at: v.nullable(ms) })) },
  { nonce: true },
)
