import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, text } from '../wire/envelope.ts'
import { iceServers } from './ice-servers.ts'

/** Stream access of one camera (OPEN-51). The ticket in `signalling_url` is single-use and valid for 60 s. */
export const stream = v.object({
  device_id: deviceId,
  provider: v.picklist(['kvs', 'lake']),
  signalling_url: v.string(),
  ice_servers: iceServers,
  /** Renditions from lowest to highest quality. A viewer starts with the lowest and can request another at any time. */
  renditions: v.array(text(12)),
  dual: v.boolean(),
  audio: v.boolean(),
  /** True if the camera sleeps between viewers and must be woken. */
  battery: v.boolean(),
  /** Maximum rendition for all viewers, set by the owner. Omitted: the owner has set no maximum. */
  rendition: v.optional(text(12)),
})
export type LiveStream = v.InferOutput<typeof stream>

/**
 * Returns the stream access of cameras. Omits cameras that do not exist, that the account may not see, or that have no
 * live video. 404: the account may see none of the cameras.
 */
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
