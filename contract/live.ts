import * as v from 'valibot'
import { call, later } from './call.ts'
import { deviceId, envelope, text } from './envelope.ts'

/** How to watch one device (OPEN-51). Tickets inside the URLs are single-use and live for 60 s. */
export const stream = v.object({
  device_id: deviceId,
  provider: v.picklist(['kvs', 'lake']),
  /** WebSocket of the signalling channel, ticket included. */
  signalling_url: v.string(),
  ice_servers: v.array(
    v.object({ urls: v.array(v.string()), username: v.optional(v.string()), credential: v.optional(v.string()) }),
  ),
  renditions: v.array(text(12)),
  dual: v.boolean(),
  audio: v.boolean(),
  /** Whether the camera sleeps between viewers and must be woken. */
  battery: v.boolean(),
})
export type Stream = v.InferOutput<typeof stream>

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

export const runAction = later('CALL-31', 'POST', '/device-management/run_action', 'device-management', { nonce: true })
export const setResolution = later('CALL-41', 'POST', '/mars/resolution', 'device')
export const sendCommand = later('CALL-42', 'POST', '/mars/send-command', 'device')
