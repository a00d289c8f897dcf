import * as v from 'valibot'

/** STUN and TURN servers with which bridges and viewers find a way to each other, in the shape of `RTCConfiguration`. */
export const iceServers = v.array(
  v.object({ urls: v.array(v.string()), username: v.optional(v.string()), credential: v.optional(v.string()) }),
)
/** As the environment has them. */
export const iceServersJson = v.pipe(v.string(), v.parseJson(), iceServers)
export type IceServers = v.InferOutput<typeof iceServers>
