import * as v from 'valibot'

/** STUN and TURN servers for bridges and viewers, in the shape of `RTCConfiguration`. */
export const iceServers = v.array(
  v.object({ urls: v.array(v.string()), username: v.optional(v.string()), credential: v.optional(v.string()) }),
)
export const iceServersJson = v.pipe(v.string(), v.parseJson(), iceServers)
export type IceServers = v.InferOutput<typeof iceServers>
